/** Which rows of a table are kept no longer. */
export interface RetentionRule {
  /** The worker's task that deletes them: a label of its metrics. Rules of one task run one after the other. */
  readonly task: string;
  readonly table: string;
  /** An expression of the table's columns: since when a row is of no use. Null: it still is. */
  readonly column: string;
  /** How long a row stays after that. */
  readonly keepMs: number;
  /** What else must hold. */
  readonly where?: string;
  /** The oldest go first, unless no index has them in that order. */
  readonly isUnordered?: boolean;
  /** How many rows go at once. */
  readonly batch: number;
}

const DAY_MS = 86_400_000;
/** More than the 31 days that one answer spans (docs/reference/money.md#usage). */
const SUMS_KEPT_MS = 35 * DAY_MS;
/** docs/reference/alerts.md#alerts, docs/reference/approvals.md#requests. */
const HISTORY_KEPT_MS = 400 * DAY_MS;

const EXPIRED: Pick<RetentionRule, 'keepMs' | 'batch'> = { keepMs: 0, batch: 500 };

/**
 * By the database's clock, and so whatever the clocks of workers say. What has another shape is deleted elsewhere:
 *
 * - months of the request log: whole partitions (`RequestMonths`).
 * - deliveries and their events: their age is in their ids, for which there is an index already (`DeliveryRetention`).
 * - incidents: one after the other, because millions of organizations may have been told of one (`IncidentStore`).
 * - exports and training files: after their files (`ExportUpkeep`, `TrainingFileUpkeep`).
 * - signing keys: with their rotation (`SigningKeyStore`).
 */
export const RETENTION_RULES: readonly RetentionRule[] = [
  { task: 'expired-claims', table: 'idempotency_claims', column: 'expires_at', ...EXPIRED },
  { task: 'expired-logins', table: 'console_sessions', column: 'expires_at', ...EXPIRED },
  { task: 'expired-logins', table: 'password_resets', column: 'expires_at', ...EXPIRED },
  { task: 'expired-logins', table: 'access_tokens', column: 'expires_at', ...EXPIRED },
  // A rotated one too: until then its reuse is detected.
  { task: 'expired-logins', table: 'refresh_tokens', column: 'expires_at', ...EXPIRED },
  { task: 'expired-logins', table: 'authorization_codes', column: 'kept_until', ...EXPIRED },
  { task: 'expired-logins', table: 'failed_guesses', column: 'clear_at', ...EXPIRED },
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
    task: 'published-events',
    table: 'outbox_events',
    // Of the transport's acknowledgement: consumers have stored what they need.
    column: 'published_at',
    keepMs: 30 * DAY_MS,
    batch: 500,
  },
  {
    task: 'old-payment-events',
    table: 'provider_events',
    column: 'received_at',
    // Longer than the provider repeats an event.
    keepMs: 30 * DAY_MS,
    where: 'result IS NOT NULL',
    batch: 1_000,
  },
  {
    task: 'old-usage-tags',
    table: 'usage_day_tags',
    // The end of the day. Calls that began on it may end until the end of the next one.
    column: `(day + 1)::timestamp AT TIME ZONE 'UTC'`,
    keepMs: DAY_MS,
    isUnordered: true,
    batch: 500,
  },
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
  {
    task: 'old-alerts',
    table: 'alerts',
    column: 'resolved_at',
    keepMs: HISTORY_KEPT_MS,
    batch: 1_000,
  },
  {
    task: 'old-alerts',
    table: 'mails',
    column: 'created_at',
    keepMs: HISTORY_KEPT_MS,
    where: `status <> 'queued'`,
    batch: 1_000,
  },
  {
    task: 'old-approvals',
    table: 'approval_requests',
    column: 'ended_at',
    keepMs: HISTORY_KEPT_MS,
    batch: 1_000,
  },
];
