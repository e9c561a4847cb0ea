import { type components } from '../api/generated/management';

type Budget = components['schemas']['Budget'];

const DAY_MS = 86_400_000;
/** 1970 began on a Thursday. */
const DAYS_FROM_MONDAY = 3;
const MONTHS = { month: 1, quarter: 3 } as const;

/**
 * When a UTC week, month or quarter began, in milliseconds.
 * @param ago 0 for the one that `today` is in, 1 for the one before
 */
export function periodStart(length: 'week' | 'month' | 'quarter', today: number, ago: number): number {
  if (length === 'week') {
    const days = Math.floor(today / DAY_MS);
    return (days - ((days + DAYS_FROM_MONDAY) % 7) - 7 * ago) * DAY_MS;
  }
  const at = new Date(today);
  const months = MONTHS[length];
  const first = Math.floor(at.getUTCMonth() / months) * months;
  return Date.UTC(at.getUTCFullYear(), first - months * ago, 1);
}

/** When the UTC day, week, month or quarter of a budget began; null for a budget of sessions. */
export function periodStartOf({
  period,
  resets_at: resetsAt,
}: Pick<Budget, 'period' | 'resets_at'>): Date | null {
  if (resetsAt === null || period === 'session') return null;
  const end = Date.parse(resetsAt);
  return new Date(period === 'day' ? end - DAY_MS : periodStart(period, end, 1));
}
