export const periods = ['today', '7d', '30d', '90d'] as const;
export type Period = (typeof periods)[number];

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const DAYS: Readonly<Record<Period, number>> = { today: 1, '7d': 7, '30d': 30, '90d': 90 };

/** Latencies and refusals are answered for ranges of 31 days, and latencies are kept for 35 (docs/reference/money.md#usage). */
const SHORT_DAYS_MAX = 31;
const LATENCY_DAYS_KEPT = 35;

/** A range as the API takes it. The end is not part of it. */
export interface Span {
  readonly start: string;
  readonly end: string;
}

export interface PeriodRange {
  readonly current: Span;
  /** As many days before. */
  readonly previous: Span;
  /** The unit of one place of a chart. */
  readonly unit: 'hour' | 'day';
  /** The days of the range as the API names them, the oldest first. */
  readonly days: readonly string[];
  /** The days or hours of the range, the same way; none that has not begun. */
  readonly places: readonly string[];
  /** The last day, and its hours that have begun. */
  readonly today: Span;
  readonly hours: readonly string[];
  /** Whether latencies and refusals are answered for all of it. */
  readonly isShort: boolean;
  /** Whether latencies of the time before are still kept. */
  readonly hasPreviousLatency: boolean;
}

/** The UTC days of a period that ends with today's, whatever the zone of the viewer. */
export function rangeOf(period: Period, nowMs: number): PeriodRange {
  const days = DAYS[period];
  const endMs = startOfUtcDay(nowMs) + DAY_MS;
  const startMs = endMs - days * DAY_MS;
  const previousMs = startMs - days * DAY_MS;
  const unit = period === 'today' ? 'hour' : 'day';
  const todayMs = endMs - DAY_MS;
  const hours = hoursOf(todayMs, nowMs);
  return {
    current: { start: instant(startMs), end: instant(endMs) },
    today: { start: instant(todayMs), end: instant(endMs) },
    hours,
    previous: { start: instant(previousMs), end: instant(startMs) },
    unit,
    days: daysOf(startMs, endMs),
    places: unit === 'hour' ? hours : daysOf(startMs, endMs),
    isShort: days <= SHORT_DAYS_MAX,
    hasPreviousLatency: nowMs - previousMs <= LATENCY_DAYS_KEPT * DAY_MS,
  };
}

/** The same range for what is summed by day alone, without latencies and refusals: usage of end users. */
export const byDayAlone = (range: PeriodRange): PeriodRange => ({
  ...range,
  unit: 'day',
  places: range.days,
  isShort: false,
  hasPreviousLatency: false,
});

/** Today alone, by hour: for charts of a longer period in which no other day has calls. */
export const todayByHour = (range: PeriodRange): PeriodRange => ({
  ...range,
  current: range.today,
  unit: 'hour',
  days: range.days.slice(-1),
  places: range.hours,
  isShort: true,
});

/** Whether today alone, of several days, has calls, by the sums of each day. */
export const isOnlyToday = (
  { unit, days }: PeriodRange,
  sums: readonly { readonly day?: string; readonly requests: number }[],
): boolean => {
  const called = sums.filter(({ requests }) => requests > 0);
  return unit === 'day' && called.length > 0 && called.every(({ day }) => day === days.at(-1));
};

export const startOfUtcDay = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

const instant = (ms: number): string => new Date(ms).toISOString();
const daysOf = (startMs: number, endMs: number): string[] =>
  Array.from({ length: (endMs - startMs) / DAY_MS }, (_, place) =>
    instant(startMs + place * DAY_MS).slice(0, 10),
  );
const hoursOf = (startMs: number, nowMs: number): string[] =>
  Array.from({ length: Math.floor((nowMs - startMs) / HOUR_MS) + 1 }, (_, place) =>
    instant(startMs + place * HOUR_MS),
  );
