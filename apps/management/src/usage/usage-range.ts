import { GatewayError } from '@svc/kernel';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A span of time as a caller names it. The end is not part of it. */
interface Span {
  readonly start?: Date | undefined;
  readonly end?: Date | undefined;
}

/** UTC days since 1970; the first is included, the last is not. */
interface DayRange {
  readonly firstDay: number;
  readonly endDay: number;
}

/** UTC hours since 1970; the first is included, the last is not. */
export interface HourRange {
  readonly firstHour: number;
  readonly endHour: number;
}

/**
 * The days that a span of time touches: usage is counted by the day. Without an end it goes up to now, without a start
 * it is 30 days long.
 * @throws GatewayError `invalidRequest` for a span that is empty or longer than `daysMax`.
 */
export function daysTouched(span: Span, nowMs: number, daysMax = 366): DayRange {
  const [firstDay, endDay] = touched(span, nowMs, { unitMs: DAY_MS, defaultDays: 30, daysMax });
  return { firstDay, endDay };
}

/**
 * The hours that a span of time touches. Without an end it goes up to now, without a start it is 24 hours long.
 * @throws GatewayError `invalidRequest` for a span that is empty or longer than 31 days.
 */
export function hoursTouched(span: Span, nowMs: number): HourRange {
  const [firstHour, endHour] = touched(span, nowMs, { unitMs: HOUR_MS, defaultDays: 1, daysMax: 31 });
  return { firstHour, endHour };
}

interface Units {
  readonly unitMs: number;
  readonly defaultDays: number;
  readonly daysMax: number;
}

function touched({ start, end }: Span, nowMs: number, { unitMs, defaultDays, daysMax }: Units) {
  const endOfUnit = (Math.floor(nowMs / unitMs) + 1) * unitMs;
  const endMs = Math.max(end?.getTime() ?? endOfUnit, 0);
  const startMs = Math.max(start?.getTime() ?? endMs - defaultDays * DAY_MS, 0);
  if (startMs >= endMs) {
    throw new GatewayError(
      'invalidRequest',
      '`start` must be earlier than `end`, which is not part of the range.',
      {
        param: end === undefined ? 'start' : 'end',
      },
    );
  }
  if (endMs - startMs > daysMax * DAY_MS) {
    throw new GatewayError('invalidRequest', `A range is at most ${String(daysMax)} days long.`, {
      param: 'start',
    });
  }
  return [Math.floor(startMs / unitMs), Math.ceil(endMs / unitMs)] as const;
}

/** `YYYY-MM-DD` */
export const dateOfDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

export const startOfDay = (day: number): Date => new Date(day * DAY_MS);

/** In ISO 8601. */
export const startOfHour = (hour: number): string => new Date(hour * HOUR_MS).toISOString();
