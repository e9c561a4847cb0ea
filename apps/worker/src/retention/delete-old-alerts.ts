import { type AlertEvaluation, type MailQueue } from '@svc/persistence';

const DAY_MS = 86_400_000;
/** Resolved alerts, and mails with their outcome (docs/reference/alerts.md#alerts). */
const ALERT_AGE_MAX_MS = 400 * DAY_MS;
const BATCH = 1_000;

/** Deletes alerts, and mails, that are too old. */
export async function deleteOldAlerts(
  alerts: Pick<AlertEvaluation, 'deleteResolved'>,
  mails: Pick<MailQueue, 'deleteEnded'>,
): Promise<{ readonly more: boolean }> {
  const alertCount = await alerts.deleteResolved(ALERT_AGE_MAX_MS, BATCH);
  const mailCount = await mails.deleteEnded(ALERT_AGE_MAX_MS, BATCH);
  return { more: alertCount === BATCH || mailCount === BATCH };
}
