import { prismaOf, type Transaction } from '@svc/database';
import { type IntegrationNotice } from '@svc/deliveries';
import { systemIds } from '@svc/runtime';
import { noticeOfEnd, type ResolveReason } from '../rules/judge-rule';
import { resolvedMail } from '../rules/notice-mail';
import { type AlertRuleRecord } from './alert-rule-record';
import { queueAlertMessages, watchedOf } from './queue-messages';
import { queueNotices } from './queue-notices';

/** Resolves the open alert of a rule that is changed, disabled or deleted, and tells of its end. */
export async function endOpenAlert(
  tx: Transaction,
  rule: AlertRuleRecord,
  reason: Extract<ResolveReason, `rule_${string}`>,
): Promise<void> {
  const [ended] = await prismaOf(tx).$queryRaw<
    { id: string; observed: bigint; peak: bigint; firedAt: Date; toldCount: number; at: Date }[]
  >`UPDATE alerts SET state = 'resolved', resolved_at = now(), resolve_reason = ${reason}
    WHERE alert_rule_id = ${rule.id} AND state = 'firing'
    RETURNING id, observed, peak, fired_at AS "firedAt", told_count AS "toldCount", now() AS at`;
  if (ended === undefined) return;
  const judged = { mutedUntilMs: rule.mutedUntil?.getTime() ?? null };
  if (noticeOfEnd(judged, ended, ended.at.getTime()) === null) return;
  await queueNotices(tx, [{ rule, alertId: ended.id, ...resolvedMail(rule, ended, reason) }]);
  const notice = endNotice(systemIds('event'), rule, ended, ended.at, reason);
  await queueAlertMessages(tx, [{ rule, alertId: ended.id, notice }]);
}

/** The message to integrations about the end of an alert. */
export const endNotice = (
  id: string,
  rule: AlertRuleRecord,
  alert: { readonly id: string; readonly observed: bigint; readonly peak: bigint; readonly firedAt: Date },
  at: Date,
  reason: string,
): IntegrationNotice => ({
  id,
  type: 'alert.resolved',
  createdAt: at.toISOString(),
  data: {
    ...watchedOf(rule),
    alert_id: alert.id,
    observed: Number(alert.observed),
    peak: Number(alert.peak),
    fired_at: alert.firedAt.toISOString(),
    resolved_at: at.toISOString(),
    reason,
  },
});
