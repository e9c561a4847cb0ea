import { prismaOf, type Transaction } from '@svc/database';
import { heldBackMail, type NoticeText } from '../rules/notice-mail';
import { type AlertRuleRecord } from './alert-rule-record';

/** A text for the people that a rule names. */
export interface RuleNotice extends NoticeText {
  readonly rule: Pick<AlertRuleRecord, 'id' | 'organizationId' | 'name' | 'notifyRoles' | 'notifyMemberIds'>;
  /** Null for a test, which counts towards no limit of mails. */
  readonly alertId: string | null;
}

/** Mails of a rule to a member within an hour (docs/reference/alerts.md#mail). */
const MAILS_AN_HOUR_MAX = 20;

/**
 * Queues a mail to each active member that the rule names. The first above the limit says so instead; further ones are
 * skipped.
 * @returns the ids of the mails.
 */
export async function queueNotices(
  tx: Transaction,
  notices: readonly RuleNotice[],
): Promise<readonly string[]> {
  if (notices.length === 0) return [];
  const rows = notices.map(({ rule, alertId, subject, text }) => {
    const heldBack = heldBackMail(rule);
    return {
      organization_id: rule.organizationId,
      alert_id: alertId,
      alert_rule_id: alertId === null ? null : rule.id,
      roles: rule.notifyRoles,
      member_ids: rule.notifyMemberIds,
      subject,
      text,
      held_back_subject: heldBack.subject,
      held_back_text: heldBack.text,
    };
  });
  const queued = await prismaOf(tx).$queryRaw<{ id: string }[]>`
    INSERT INTO mails (id, organization_id, member_id, subject, text, alert_id, alert_rule_id, status, error, due_at)
    SELECT gen_random_uuid(), n.organization_id, b.id,
      CASE WHEN recent.mails = ${MAILS_AN_HOUR_MAX} THEN n.held_back_subject ELSE n.subject END,
      CASE WHEN recent.mails = ${MAILS_AN_HOUR_MAX} THEN n.held_back_text ELSE n.text END,
      n.alert_id, n.alert_rule_id,
      CASE WHEN recent.mails > ${MAILS_AN_HOUR_MAX} THEN 'skipped' ELSE 'queued' END,
      CASE WHEN recent.mails > ${MAILS_AN_HOUR_MAX} THEN 'rate_limited' END,
      CASE WHEN recent.mails <= ${MAILS_AN_HOUR_MAX} THEN now() END
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (organization_id text, alert_id text,
      alert_rule_id text, roles text[], member_ids text[], subject text, text text, held_back_subject text,
      held_back_text text)
    JOIN members b ON b.organization_id = n.organization_id AND b.state = 'active'
      AND (b.role = ANY (n.roles) OR b.id = ANY (n.member_ids))
    CROSS JOIN LATERAL (
      SELECT count(*) AS mails FROM mails m
      WHERE m.alert_rule_id = n.alert_rule_id AND m.member_id = b.id AND m.created_at > now() - interval '1 hour'
        AND m.status <> 'skipped'
    ) recent
    RETURNING id`;
  return queued.map(({ id }) => id);
}
