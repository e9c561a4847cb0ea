import { type RetentionRule } from './retention-rule';

const DAY_MS = 86_400_000;
/** As long as the alerts that most of them tell of (docs/reference/alerts.md#alerts). */
const HISTORY_KEPT_MS = 400 * DAY_MS;

/** How long events and mails are kept. */
export const databaseRetention: readonly RetentionRule[] = [
  {
    task: 'published-events',
    table: 'outbox_events',
    // Of the transport's acknowledgement: consumers have stored what they need.
    column: 'published_at',
    keepMs: 30 * DAY_MS,
    batch: 500,
  },
  {
    task: 'old-alerts',
    table: 'mails',
    column: 'created_at',
    keepMs: HISTORY_KEPT_MS,
    where: `status <> 'queued'`,
    batch: 1_000,
  },
];
