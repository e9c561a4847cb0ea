import { type RetentionRule } from '@svc/database';

const DAY_MS = 86_400_000;
/** docs/reference/approvals.md#requests */
const HISTORY_KEPT_MS = 400 * DAY_MS;

/** How long requests for approval are kept. */
export const approvalRetention: readonly RetentionRule[] = [
  {
    task: 'old-approvals',
    table: 'approval_requests',
    column: 'ended_at',
    keepMs: HISTORY_KEPT_MS,
    batch: 1_000,
  },
];
