import { type AnswerHeaders, headerIn } from './answer-headers';

/** One of a provider's limits, as the headers of an answer tell of it. */
interface RateWindow {
  /** The rest of it in basis points; null where that is not told. */
  readonly headroomBps: number | null;
  /** Milliseconds until all of it is there again; null where that is not told. */
  readonly resetInMs: number | null;
}

interface WindowHeaders {
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string;
}

/** OpenAI's form, which most providers have taken over, and Anthropic's. */
const WINDOWS: readonly WindowHeaders[] = [
  ...['requests', 'tokens'].map((unit) => ({
    limit: `x-ratelimit-limit-${unit}`,
    remaining: `x-ratelimit-remaining-${unit}`,
    reset: `x-ratelimit-reset-${unit}`,
  })),
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map((unit) => ({
    limit: `anthropic-ratelimit-${unit}-limit`,
    remaining: `anthropic-ratelimit-${unit}-remaining`,
    reset: `anthropic-ratelimit-${unit}-reset`,
  })),
];

/** The limits that the headers tell of. Empty where they tell of none, as most answers do. */
export function rateWindowsIn(headers: AnswerHeaders, nowMs: number): readonly RateWindow[] {
  const windows: RateWindow[] = [];
  for (const { limit, remaining, reset } of WINDOWS) {
    if (headers[remaining] === undefined && headers[reset] === undefined) continue;
    const headroomBps = headroomOf(numberIn(headers, limit), numberIn(headers, remaining));
    const resetInMs = resetInMsOf(headerIn(headers, reset), nowMs);
    if (headroomBps !== null || resetInMs !== null) windows.push({ headroomBps, resetInMs });
  }
  return windows;
}

const WHOLE_BPS = 10_000;

function headroomOf(limit: number | null, remaining: number | null): number | null {
  if (limit === null || remaining === null || limit === 0) return null;
  return Math.min(Math.floor((remaining * WHOLE_BPS) / limit), WHOLE_BPS);
}

const NUMBER = /^\d{1,15}(?:\.\d{1,15})?$/;

function numberIn(headers: AnswerHeaders, name: string): number | null {
  const text = headerIn(headers, name)?.trim() ?? '';
  return NUMBER.test(text) ? Number(text) : null;
}

/** As OpenAI writes a duration: `1h2m3.5s`, `120ms`. */
const DURATION = /^(?:(?<h>\d+)h)?(?:(?<m>\d+)m(?!s))?(?:(?<s>\d+(?:\.\d+)?)s)?(?:(?<ms>\d+(?:\.\d+)?)ms)?$/;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T/;

/** Seconds, a duration or a time, as milliseconds from now. Null where it is none of them. */
function resetInMsOf(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (NUMBER.test(text)) return Number(text) * 1_000;
  if (RFC_3339.test(text)) {
    const timeMs = Date.parse(text);
    return Number.isNaN(timeMs) ? null : Math.max(0, timeMs - nowMs);
  }
  const parts = text === '' ? undefined : DURATION.exec(text)?.groups;
  if (parts === undefined) return null;
  const { h = 0, m = 0, s = 0, ms = 0 } = parts;
  return Number(h) * 3_600_000 + Number(m) * 60_000 + Number(s) * 1_000 + Number(ms);
}
