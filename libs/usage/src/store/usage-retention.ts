import { type RetentionRule } from '@svc/database';

const DAY_MS = 86_400_000;
/** More than the 31 days that one answer spans (docs/reference/money.md#usage). */
const SUMS_KEPT_MS = 35 * DAY_MS;

/** How long sums of calls are kept. */
export const usageRetention: readonly RetentionRule[] = [
  {
    task: 'old-usage-tags',
    table: 'usage_day_tags',
    // The end of the day. Calls that began on it may end until the end of the next one.
    column: `(day + 1)::timestamp AT TIME ZONE 'UTC'`,
    keepMs: DAY_MS,
    isUnordered: true,
    batch: 500,
  },
  {
    task: 'old-usage-tags',
    table: 'end_user_days',
    column: `(day + 1)::timestamp AT TIME ZONE 'UTC'`,
    keepMs: DAY_MS,
    isUnordered: true,
    batch: 500,
  },
  // By the day itself, which an index has in order: there can be a million rows a month.
  { task: 'old-end-users', table: 'usage_end_users', column: 'day', keepMs: 400 * DAY_MS, batch: 2_000 },
  { task: 'old-refusals', table: 'refusals', column: 'hour', keepMs: SUMS_KEPT_MS, batch: 500 },
  {
    task: 'old-refusals',
    table: 'refusal_batches',
    column: 'written_at',
    keepMs: SUMS_KEPT_MS,
    isUnordered: true,
    batch: 500,
  },
  { task: 'old-call-minutes', table: 'call_minutes', column: 'minute', keepMs: SUMS_KEPT_MS, batch: 2_000 },
  {
    task: 'old-call-minutes',
    table: 'rollout_minutes',
    column: 'minute',
    keepMs: SUMS_KEPT_MS,
    batch: 2_000,
  },
  { task: 'old-call-hours', table: 'call_hours', column: 'hour', keepMs: SUMS_KEPT_MS, batch: 2_000 },
  {
    task: 'old-circuit-reports',
    table: 'circuit_reports',
    column: 'reported_at',
    // A report says something for 10 minutes.
    keepMs: DAY_MS,
    isUnordered: true,
    batch: 2_000,
  },
];
