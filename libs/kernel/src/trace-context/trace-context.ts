/**
 * A caller's place in a distributed trace, as the headers `traceparent` and `tracestate` tell it
 * (https://www.w3.org/TR/trace-context-1/).
 */
export interface TraceContext {
  /** 32 hex digits in lower case, not all zero. */
  readonly traceId: string;
  /** The caller's span: 16 hex digits in lower case, not all zero. */
  readonly parentSpanId: string;
  readonly isSampled: boolean;
  /** The list of the tracing systems, as it came; null for none. */
  readonly traceState: string | null;
}

/** Makes the id of a span: 16 hex digits in lower case. It is injected, so that tests can control the ids. */
export type NewSpanId = () => string;

/** Version, trace id, span id, flags. Later versions than 00 may add fields, each after a dash. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 0x01;

/**
 * Reads the two headers.
 * @returns null for a `traceparent` that is not valid: `tracestate` is then ignored too. An invalid `tracestate` is
 * ignored by itself.
 */
export function readTraceContext(traceparent: string, tracestate?: string): TraceContext | null {
  const found = TRACEPARENT.exec(traceparent);
  if (found === null) return null;
  const [, version, traceId = '', parentSpanId = '', flags = '', more] = found;
  if (version === '00' && more !== undefined) return null;
  return {
    traceId,
    parentSpanId,
    isSampled: (parseInt(flags, 16) & SAMPLED) !== 0,
    traceState: tracestate !== undefined && isTraceState(tracestate) ? tracestate : null,
  };
}

/** The `traceparent` of a span in the trace: version 00, with the flags that this version defines. */
export const formatTraceparent = (
  { traceId, isSampled }: Pick<TraceContext, 'traceId' | 'isSampled'>,
  spanId: string,
): string => `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** The length that every participant should pass on. A longer list is dropped. */
const TRACE_STATE_MAX_LENGTH = 512;
const MEMBERS_MAX = 32;
/** A key, and 1 to 256 printable characters without comma and equals sign, the last one not a space. */
const MEMBER =
  /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const SPACE_AROUND = /^[ \t]+|[ \t]+$/g;

/** Members may be empty, but not all of them. */
function isTraceState(text: string): boolean {
  if (text.length > TRACE_STATE_MAX_LENGTH) return false;
  const members = text
    .split(',')
    .map((member) => member.replace(SPACE_AROUND, ''))
    .filter((member) => member !== '');
  return (
    members.length > 0 && members.length <= MEMBERS_MAX && members.every((member) => MEMBER.test(member))
  );
}
