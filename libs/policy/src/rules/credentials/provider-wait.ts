import { type AnswerHeaders, headerIn } from './answer-headers';
import { rateWindowsIn } from './rate-windows';

const WAIT_MS_MIN = 1_000;
const WAIT_MS_MAX = 3_600_000;

/**
 * The wait that a rate-limited answer asks for (docs/credential-pools.md#health): by `Retry-After`, else by the reset of the
 * limit that has the least left. Milliseconds, from 1 s to 1 h. Null where it says neither.
 */
export function providerWaitMs(headers: AnswerHeaders, nowMs: number): number | null {
  const asked = retryAfterMsIn(headerIn(headers, 'retry-after'), nowMs) ?? resetMsIn(headers, nowMs);
  return asked === null ? null : Math.min(Math.max(asked, WAIT_MS_MIN), WAIT_MS_MAX);
}

const SECONDS = /^\d+(?:\.\d+)?$/;
/** Each of the three forms of RFC 9110 section 5.6.7 begins with it. `Date.parse` alone takes `-5` for a month. */
const WEEKDAY = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/** Seconds or a date, as milliseconds from now. Null where it is neither, or negative. A date that has passed is 0. */
function retryAfterMsIn(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (SECONDS.test(text)) return Number(text) * 1_000;
  if (!WEEKDAY.test(text)) return null;
  const timeMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(timeMs) ? null : Math.max(0, timeMs - nowMs);
}

/** One whose remainder is unknown may be the one that is used up. */
function resetMsIn(headers: AnswerHeaders, nowMs: number): number | null {
  const windows = rateWindowsIn(headers, nowMs).filter(({ resetInMs }) => resetInMs !== null);
  const left = Math.min(...windows.map(({ headroomBps }) => headroomBps ?? 0));
  const binding = windows.filter(({ headroomBps }) => (headroomBps ?? 0) === left);
  return binding.length === 0 ? null : Math.max(...binding.map(({ resetInMs }) => resetInMs ?? 0));
}
