import { type AuditLog, Outbox, prismaOf, type Transaction } from '@svc/database';
import { type IntegrationNotice } from '@svc/deliveries';
import { recordEvent, type RecordedEvent } from '@svc/events';
import { type NewId } from '@svc/kernel';
import { type Verdict } from '../rules/judge-rule';
import { spanStartMs } from '../rules/metrics';
import { firingMail, resolvedMail } from '../rules/notice-mail';
import { ruleCopy } from './alert-rule-record';
import { endNotice, endOpenAlert } from './end-alert';
import { type ObservedAlert, type ObservedRule } from './observed-rule';
import { queueAlertMessages, type AlertMessage } from './queue-messages';
import { queueNotices, type RuleNotice } from './queue-notices';

/**
 * Writes the states of observed rules, and the alerts, events and mails that come of them, in the caller's transaction. A
 * rule that was changed or deleted since is left out.
 */
export async function recordChanges(
  tx: Transaction,
  { newId, auditLog }: { readonly newId: NewId; readonly auditLog: AuditLog },
  observed: readonly ObservedRule[],
): Promise<void> {
  const kept = await writeStates(tx, observed);
  const gone = kept.filter(({ isTargetGone }) => isTargetGone);
  for (const { rule } of gone) await disable(tx, auditLog, rule);
  const changed = kept
    .filter(({ isTargetGone }) => !isTargetGone)
    .map((each) => ({ ...each, alert: each.alert ?? newAlert(newId, each) }));
  await openAlerts(tx, changed);
  await updateAlerts(tx, changed);
  const told = changed.map((each) => ({ ...each, event: eventOf(newId, each) }));
  const events = told.flatMap(({ event }) => event ?? []);
  if (events.length > 0) await new Outbox().append(tx, ...events);
  await queueAlertMessages(
    tx,
    told.flatMap((each) => messageOf(newId, each)),
  );
  await queueNotices(tx, changed.flatMap(noticeOf));
}

type ChangedRule = Omit<ObservedRule, 'alert'> & { readonly alert: ObservedAlert | null };

const newAlert = (newId: NewId, { verdict, value, at }: ObservedRule): ObservedAlert | null =>
  verdict.change === 'opened' && value !== null
    ? { id: newId('alert'), observed: value, peak: value, firedAt: at }
    : null;

/** @returns the rules that are still as they were observed. They are locked until the transaction ends. */
async function writeStates(
  tx: Transaction,
  observed: readonly ObservedRule[],
): Promise<readonly ObservedRule[]> {
  const rows = observed.map(({ rule, version, value, at, isTargetGone, verdict: { standing } }) => ({
    id: rule.id,
    version,
    observed: jsonOf(value),
    at,
    state: isTargetGone ? 'ok' : standing.state,
    pending_since: isTargetGone ? null : timeOf(standing.pendingSinceMs),
    not_held_since: isTargetGone ? null : timeOf(standing.notHeldSinceMs),
  }));
  const written = await prismaOf(tx).$queryRaw<{ id: string }[]>`
    UPDATE alert_rules r SET state = d.state, observed = d.observed, evaluated_at = d.at,
      pending_since = d.pending_since, not_held_since = d.not_held_since
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS d (id text, version int, observed bigint,
      at timestamptz, state text, pending_since timestamptz, not_held_since timestamptz)
    WHERE r.id = d.id AND r.version = d.version RETURNING r.id`;
  const ids = new Set(written.map(({ id }) => id));
  return observed.filter(({ rule }) => ids.has(rule.id));
}

/** The target of the rule is gone, so it would never fire again. */
async function disable(tx: Transaction, auditLog: AuditLog, rule: ObservedRule['rule']): Promise<void> {
  const prisma = prismaOf(tx);
  await prisma.$executeRaw`UPDATE alert_rules SET enabled = false, disabled_reason = 'target_gone', observed = NULL,
    version = version + 1, updated_at = now() WHERE id = ${rule.id}`;
  await endOpenAlert(tx, rule, 'rule_disabled');
  await auditLog.append(tx, {
    organizationId: rule.organizationId,
    actor: { type: 'system', id: null },
    action: 'alert_rule.update',
    targetId: rule.id,
    changes: { enabled: { from: true, to: false }, disabled_reason: { from: null, to: 'target_gone' } },
    requestId: null,
  });
}

async function openAlerts(tx: Transaction, changed: readonly ChangedRule[]): Promise<void> {
  const rows = changed.flatMap(({ rule, alert, at, verdict: { change, standing } }) => {
    if (change !== 'opened' || alert === null || standing.alert === null) return [];
    return {
      id: alert.id,
      organization_id: rule.organizationId,
      project_id: rule.projectId,
      alert_rule_id: rule.id,
      rule: ruleCopy(rule),
      severity: rule.severity,
      observed: jsonOf(alert.observed),
      peak: jsonOf(standing.alert.peak),
      period_key: standing.alert.period,
      window_started_at: new Date(spanStartMs(rule, at.getTime())),
      fired_at: at,
      told_count: standing.alert.toldCount,
      last_told_at: timeOf(standing.alert.lastToldAtMs),
    };
  });
  if (rows.length === 0) return;
  await prismaOf(tx).$executeRaw`
    INSERT INTO alerts (id, organization_id, project_id, alert_rule_id, rule, severity, observed, peak, period_key,
      window_started_at, fired_at, told_count, last_told_at)
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS d (id text, organization_id text,
      project_id text, alert_rule_id text, rule jsonb, severity text, observed bigint, peak bigint, period_key text,
      window_started_at timestamptz, fired_at timestamptz, told_count int, last_told_at timestamptz)`;
}

async function updateAlerts(tx: Transaction, changed: readonly ChangedRule[]): Promise<void> {
  const rows = changed.flatMap(({ rule, alert, at, verdict: { change, standing } }) => {
    if (alert === null || change === 'opened') return [];
    return {
      id: alert.id,
      peak: jsonOf(standing.alert?.peak ?? null),
      told_count: standing.alert?.toldCount ?? null,
      last_told_at: timeOf(standing.alert?.lastToldAtMs ?? null),
      resolve_reason: change,
      at: rule.state === 'firing' ? at : null,
    };
  });
  if (rows.length === 0) return;
  await prismaOf(tx).$executeRaw`
    UPDATE alerts a SET peak = coalesce(d.peak, a.peak), told_count = coalesce(d.told_count, a.told_count),
      last_told_at = coalesce(d.last_told_at, a.last_told_at), resolve_reason = d.resolve_reason,
      state = CASE WHEN d.resolve_reason IS NULL THEN 'firing' ELSE 'resolved' END,
      resolved_at = CASE WHEN d.resolve_reason IS NOT NULL THEN d.at END
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS d (id text, peak bigint, told_count int,
      last_told_at timestamptz, resolve_reason text, at timestamptz)
    WHERE a.id = d.id`;
}

function eventOf(
  newId: NewId,
  { rule, alert, value, at, verdict: { notice } }: ChangedRule,
): RecordedEvent | null {
  if (notice?.kind !== 'firing' || alert === null || value === null) return null;
  const startedAtMs = spanStartMs(rule, at.getTime());
  return recordEvent(newId('event'), 'alert.fired', rule.organizationId, at.getTime(), {
    alert_rule_id: rule.id,
    alert_id: alert.id,
    name: rule.name,
    metric: rule.metric,
    severity: rule.severity,
    threshold: Number(rule.threshold),
    observed: Number(value),
    window_started_at: new Date(startedAtMs).toISOString(),
    window_ended_at: at.toISOString(),
    filter: rule.filter,
    repeat: notice.repeat,
  });
}

function messageOf(
  newId: NewId,
  {
    rule,
    alert,
    at,
    event,
    verdict: { standing, change, notice },
  }: ChangedRule & { event: RecordedEvent | null },
): AlertMessage[] {
  if (alert === null || notice === null) return [];
  if (event === null) {
    const shown = { ...alert, peak: standing.alert?.peak ?? alert.peak };
    return [
      { rule, alertId: alert.id, notice: endNotice(newId('event'), rule, shown, at, reasonOf(change)) },
    ];
  }
  const { data } = JSON.parse(event.payload) as { data: IntegrationNotice['data'] };
  const told = { id: event.id, type: event.type, createdAt: at.toISOString(), data };
  return [{ rule, alertId: alert.id, notice: told }];
}

function noticeOf({ rule, alert, verdict: { standing, change, notice } }: ChangedRule): RuleNotice[] {
  if (notice === null || alert === null) return [];
  const shown = { ...alert, peak: standing.alert?.peak ?? alert.peak };
  const mail =
    notice.kind === 'firing'
      ? firingMail(rule, shown, notice.repeat)
      : resolvedMail(rule, shown, reasonOf(change));
  return [{ rule, alertId: alert.id, ...mail }];
}

const reasonOf = (change: Verdict['change']): string => change ?? 'recovered';
const jsonOf = (value: bigint | null): string | null => (value === null ? null : String(value));
const timeOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
