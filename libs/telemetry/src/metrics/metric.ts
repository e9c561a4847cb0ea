/** The number of what happened in the period, under attributes. */
export interface SumPoint {
  readonly attributes: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface HistogramPoint {
  readonly attributes: Readonly<Record<string, string>>;
  readonly count: number;
  /** Null: not known. */
  readonly sum: number | null;
  /** Each bound belongs to the bucket below it. Empty, as `counts`, where the distribution is not known. */
  readonly bounds: readonly number[];
  /** One more than the bounds, or none. */
  readonly counts: readonly number[];
}

/** A metric of one period, in delta temporality. `unit` is one of UCUM. */
export type Metric = { readonly name: string; readonly description: string; readonly unit: string } & (
  | { readonly kind: 'sum'; readonly points: readonly SumPoint[] }
  | { readonly kind: 'histogram'; readonly points: readonly HistogramPoint[] }
);

/** Unix milliseconds. */
export interface Period {
  readonly startMs: number;
  readonly endMs: number;
}
