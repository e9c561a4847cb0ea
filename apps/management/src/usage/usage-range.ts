import { GatewayError } from '@svc/kernel';

const DAY_MS = 86_400_000;
const RANGE_DEFAULT_DAYS = 30;
const RANGE_MAX_DAYS = 366;

/** UTC days since 1970; the first is included, the last is not. */
export interface DayRange {
  readonly firstDay: number;
  readonly endDay: number;
}

/**
 * The days that a span of time touches: usage is counted by the day. Without an end it goes up to now, without a start
 * it is 30 days long.
 * @param end not part of the span.
 * @throws GatewayError `invalidRequest` for a span that is empty or longer than 366 days.
 */
export function daysTouched(
  { start, end }: { readonly start?: Date | undefined; readonly end?: Date | undefined },
  nowMs: number,
): DayRange {
  const endMs = Math.max(end?.getTime() ?? endOfDay(nowMs), 0);
  const startMs = Math.max(start?.getTime() ?? endMs - RANGE_DEFAULT_DAYS * DAY_MS, 0);
  if (startMs >= endMs) {
    throw new GatewayError(
      'invalidRequest',
      '`start` must be earlier than `end`, which is not part of the range.',
      {
        param: end === undefined ? 'start' : 'end',
      },
    );
  }
  if (endMs - startMs > RANGE_MAX_DAYS * DAY_MS) {
    throw new GatewayError('invalidRequest', `A range is at most ${String(RANGE_MAX_DAYS)} days long.`, {
      param: 'start',
    });
  }
  return { firstDay: Math.floor(startMs / DAY_MS), endDay: Math.ceil(endMs / DAY_MS) };
}

const endOfDay = (timeMs: number): number => (Math.floor(timeMs / DAY_MS) + 1) * DAY_MS;

/** `YYYY-MM-DD` */
export const dateOfDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
