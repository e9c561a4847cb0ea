import { accessRetention } from '@svc/access/store';
import { alertRetention } from '@svc/alerts/store';
import { approvalRetention } from '@svc/approvals/store';
import { type Database, databaseRetention, Retention, type RetentionRule } from '@svc/database';
import { ledgerRetention } from '@svc/ledger/store';
import { paymentRetention } from '@svc/payments/store';
import { policyRetention } from '@svc/policy/store';
import { usageRetention } from '@svc/usage/store';

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
  ...ledgerRetention,
  ...accessRetention,
  ...paymentRetention,
  ...usageRetention,
  ...alertRetention,
  ...databaseRetention,
  ...approvalRetention,
  ...policyRetention,
];

/** Expired rows are deleted each minute, and history each hour. */
const EXPIRED_EVERY_MS = 60_000;
const HISTORY_EVERY_MS = 3_600_000;

/** The periodic tasks that delete what no rule keeps. */
export function retentionTasks(database: Database) {
  const retention = new Retention(database);
  return [...new Set(RETENTION_RULES.map(({ task }) => task))].map((name) => {
    const rules = RETENTION_RULES.filter(({ task }) => task === name);
    const everyMs = rules.every(({ keepMs }) => keepMs === 0) ? EXPIRED_EVERY_MS : HISTORY_EVERY_MS;
    return { name, everyMs, run: () => retention.deleteDue(rules) };
  });
}
