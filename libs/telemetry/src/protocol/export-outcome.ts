/** An answer of a collector, or that none came. */
interface CollectorAnswer {
  /** Null: no answer came. */
  readonly statusCode: number | null;
  /** The header, as it came. */
  readonly retryAfter: string | null;
  /** True where the URL rule of this installation forbids the address. */
  readonly isForbidden: boolean;
}

/** `refused`: the same telemetry would be refused again, so it is dropped. `later`: it may be sent again. */
export type ExportOutcome =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'later'; readonly waitMs: number };

/** https://opentelemetry.io/docs/specs/otlp/#failures-1: no other answer may be retried. */
const RETRYABLE = new Set([429, 502, 503, 504]);
const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MAX_MS = 120_000;
const RETRY_AFTER_MAX_MS = 3_600_000;

/**
 * The next step after an answer (https://opentelemetry.io/docs/specs/otlp/#otlphttp-response). `Retry-After` is obeyed up
 * to an hour; without it the wait doubles from 1 s to 2 min, with jitter.
 * @param failures how often in a row telemetry was not taken, this time included.
 * @param random from 0 up to 1.
 */
export function exportOutcome(
  { statusCode, retryAfter, isForbidden }: CollectorAnswer,
  failures: number,
  random: number,
  nowMs: number,
): ExportOutcome {
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { kind: 'taken' };
  const mayRetry = statusCode === null ? !isForbidden : RETRYABLE.has(statusCode);
  if (!mayRetry) return { kind: 'refused' };
  const asked = retryAfter === null ? null : retryAfterMs(retryAfter, nowMs);
  return { kind: 'later', waitMs: asked ?? backoffMs(failures, random) };
}

/** Between half of the wait and all of it, so that many processes do not come back at once. */
function backoffMs(failures: number, random: number): number {
  const waitMs = Math.min(BACKOFF_FIRST_MS * 2 ** Math.max(0, failures - 1), BACKOFF_MAX_MS);
  return Math.round(waitMs * (0.5 + random / 2));
}

/** Seconds or a date (RFC 9110, 10.2.3), at most an hour; null for anything else. */
export function retryAfterMs(header: string, nowMs: number): number | null {
  const text = header.trim();
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), RETRY_AFTER_MAX_MS);
}
