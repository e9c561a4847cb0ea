import { type RetentionRule } from '@svc/database';

const DAY_MS = 86_400_000;
const EXPIRED: Pick<RetentionRule, 'keepMs' | 'batch'> = { keepMs: 0, batch: 500 };

/** How long idempotency keys, holds and budgets are kept. */
export const ledgerRetention: readonly RetentionRule[] = [
  { task: 'expired-claims', table: 'idempotency_claims', column: 'expires_at', ...EXPIRED },
  {
    task: 'released-holds',
    table: 'released_holds',
    column: 'released_at',
    // Longer than any outage: a delayed statement to open a hold must still find that the hold was released.
    keepMs: 7 * DAY_MS,
    batch: 500,
  },
  {
    task: 'idle-sessions',
    table: 'budget_spends',
    column: 'updated_at',
    keepMs: 30 * DAY_MS,
    // A session that continues later starts at zero.
    where: `reserved_nanos = 0 AND NOT review_due
      AND EXISTS (SELECT FROM budgets b WHERE b.id = budget_id AND b.period = 'session')`,
    isUnordered: true,
    batch: 500,
  },
  {
    task: 'old-budget-periods',
    table: 'budget_spends',
    column: 'updated_at',
    keepMs: 35 * DAY_MS,
    where: `reserved_nanos = 0 AND NOT review_due
      AND EXISTS (SELECT FROM budgets b, budget_days(b.period, split_part(period_key, ' ', 1)) d
        WHERE b.id = budget_id AND b.period <> 'session' AND d.end_day <= (now() AT TIME ZONE 'UTC')::date - 35)`,
    isUnordered: true,
    batch: 500,
  },
];
