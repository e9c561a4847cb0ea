import { type RetentionRule } from '@svc/database';

const DAY_MS = 86_400_000;
/** docs/reference/alerts.md#alerts */
const HISTORY_KEPT_MS = 400 * DAY_MS;

/** How long alerts are kept. */
export const alertRetention: readonly RetentionRule[] = [
  {
    task: 'old-alerts',
    table: 'alerts',
    column: 'resolved_at',
    keepMs: HISTORY_KEPT_MS,
    batch: 1_000,
  },
];
