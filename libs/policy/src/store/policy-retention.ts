import { type RetentionRule } from '@svc/database';

const DAY_MS = 86_400_000;

/** How long reports of credentials are kept. One that is refused stays so until a call tries it, which may be long after. */
export const policyRetention: readonly RetentionRule[] = [
  {
    task: 'old-credential-reports',
    table: 'credential_reports',
    column: 'reported_at',
    keepMs: 30 * DAY_MS,
    isUnordered: true,
    batch: 2_000,
  },
];
