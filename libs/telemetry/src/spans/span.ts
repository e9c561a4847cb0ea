/** A span before it is encoded. */
export interface Span {
  readonly name: string;
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  /** Null: the span begins its trace. */
  readonly parentSpanId: string | null;
  /** Unix milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  readonly hasFailed: boolean;
  readonly attributes: Readonly<Record<string, string | number>>;
}
