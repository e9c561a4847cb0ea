import {
  type Database,
  lockOrganization,
  olderThan,
  pageArguments,
  prismaOf,
  seenBy,
  sliceOf,
  type Transaction,
} from '@svc/database';
import { type AlertRule, type Prisma } from '@svc/database/rows';
import { type Page, type Slice } from '@svc/kernel';
import { type AlertRuleState } from '../rules/judge-rule';
import { type AlertMetric } from '../rules/metrics';
import { toAlertRule, type AlertRuleRecord, type AlertRuleSettings } from './alert-rule-record';
import { endOpenAlert } from './end-alert';
import { queueTestMessages } from './queue-messages';
import { queueNotices, type RuleNotice } from './queue-notices';

export interface NewAlertRule extends AlertRuleSettings {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
}

export interface AlertRuleFilter {
  readonly metric?: AlertMetric | undefined;
  readonly state?: AlertRuleState | undefined;
  readonly enabled?: boolean | undefined;
}

/** The ids of the messages that a test queued. */
export interface QueuedNotices {
  readonly mailIds: readonly string[];
  readonly deliveryIds: readonly string[];
}

/** How a change meets an open alert: `none` leaves it open. */
export type AlertRuleBreak = 'none' | 'rule_changed' | 'rule_disabled';

/** Alert rules as people administer them. `AlertEvaluation` gives them their states. */
export class AlertRuleStore {
  constructor(private readonly database: Database) {}

  /** @param onlyProject shows only the rules of this project; null for all. */
  async listRules(
    organizationId: string,
    page: Page,
    { metric, state, enabled }: AlertRuleFilter,
    onlyProject: string | null,
  ): Promise<Slice<AlertRuleRecord>> {
    const { prisma } = this.database;
    const rows = await prisma.alertRule.findMany({
      ...pageArguments(page),
      where: {
        ...seenBy(organizationId, onlyProject),
        ...olderThan(page),
        ...(metric === undefined ? {} : { metric }),
        ...(state === undefined ? {} : { state }),
        ...(enabled === undefined ? {} : { enabled }),
      },
    });
    const { items, hasMore } = sliceOf(rows, page, (row) => row);
    return { items: await withAlerts(prisma, items), hasMore };
  }

  async findRule(
    organizationId: string,
    id: string,
    onlyProject: string | null,
  ): Promise<AlertRuleRecord | null> {
    return findRule(this.database.prisma, organizationId, id, onlyProject);
  }

  /** Counts the rules, and keeps others from being created until the transaction ends. */
  async lockRuleCount(tx: Transaction, organizationId: string): Promise<number> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    return prisma.alertRule.count({ where: { organizationId } });
  }

  async createRule(
    tx: Transaction,
    { id, organizationId, projectId, ...settings }: NewAlertRule,
  ): Promise<AlertRuleRecord> {
    const data = { id, organizationId, projectId, ...columnsOf(settings) };
    return toAlertRule(await prismaOf(tx).alertRule.create({ data }), null);
  }

  /** Locks the rule until the transaction ends. A tick that observed it before writes nothing if it changes. */
  async lockRule(
    tx: Transaction,
    organizationId: string,
    id: string,
    onlyProject: string | null,
  ): Promise<AlertRuleRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM alert_rules
      WHERE organization_id = ${organizationId} AND id = ${id} FOR NO KEY UPDATE`;
    return findRule(prisma, organizationId, id, onlyProject);
  }

  /**
   * @param before the rule, locked.
   * @param ends whether the change ends an open alert and begins the rule's state anew.
   */
  async changeRule(
    tx: Transaction,
    before: AlertRuleRecord,
    projectId: string | null,
    settings: AlertRuleSettings,
    ends: AlertRuleBreak,
  ): Promise<AlertRuleRecord> {
    const prisma = prismaOf(tx);
    if (ends !== 'none') await endOpenAlert(tx, before, ends);
    const anew = { state: 'ok', observed: null, pendingSince: null, notHeldSince: null };
    await prisma.alertRule.update({
      where: { id: before.id },
      data: {
        ...columnsOf(settings),
        projectId,
        version: { increment: 1 },
        ...(ends === 'none' ? {} : anew),
        ...(settings.enabled ? { disabledReason: null } : {}),
      },
    });
    const after = await findRule(prisma, before.organizationId, before.id, null);
    if (after === null) throw new Error('A rule that was just changed is not there');
    return after;
  }

  /** @param rule locked. Its alerts stay. */
  async deleteRule(tx: Transaction, rule: AlertRuleRecord): Promise<void> {
    await endOpenAlert(tx, rule, 'rule_deleted');
    await prismaOf(tx).alertRule.delete({ where: { id: rule.id } });
  }

  /**
   * Notes a test of a locked rule.
   * @returns 0, or the seconds until another one is allowed: `max` within an hour, by the database's clock.
   */
  async noteTest(tx: Transaction, { id }: AlertRuleRecord, max: number): Promise<number> {
    const prisma = prismaOf(tx);
    const [waits] = await prisma.$queryRaw<{ seconds: number }[]>`
      SELECT ceil(extract(epoch FROM tested_at[1] + interval '1 hour' - now()))::int AS seconds
      FROM alert_rules WHERE id = ${id} AND cardinality(tested_at) >= ${max} AND tested_at[1] > now() - interval '1 hour'`;
    if (waits !== undefined) return Math.max(waits.seconds, 1);
    await prisma.$executeRaw`
      UPDATE alert_rules SET tested_at = (tested_at || now())[greatest(cardinality(tested_at) + 2 - ${max}, 1):]
      WHERE id = ${id}`;
    return 0;
  }

  /** Queues the mails of a test, and the messages to the integrations that the rule names. */
  async queueTest(
    tx: Transaction,
    notice: Pick<RuleNotice, 'subject' | 'text'> & { readonly rule: AlertRuleRecord },
    at: Date,
  ): Promise<QueuedNotices> {
    const mailIds = await queueNotices(tx, [{ ...notice, alertId: null }]);
    return { mailIds, deliveryIds: await queueTestMessages(tx, notice.rule, at) };
  }
}

const columnsOf = ({ filter, ...rule }: AlertRuleSettings) => ({
  name: rule.name,
  metric: rule.metric,
  threshold: rule.threshold,
  windowSeconds: rule.windowSeconds,
  period: rule.period,
  filterProjectId: filter.project_id,
  filterApiKeyId: filter.api_key_id,
  filterModel: filter.model,
  filterProvider: filter.provider,
  filterBudgetId: filter.budget_id,
  filterWebhookEndpointId: filter.webhook_endpoint_id,
  filterIntegrationId: filter.integration_id,
  minRequests: rule.minRequests,
  forSeconds: rule.forSeconds,
  keepFiringSeconds: rule.keepFiringSeconds,
  repeatSeconds: rule.repeatSeconds,
  severity: rule.severity,
  notifyRoles: [...rule.notifyRoles],
  notifyMemberIds: [...rule.notifyMemberIds],
  notifyIntegrationIds: [...rule.notifyIntegrationIds],
  enabled: rule.enabled,
  mutedUntil: rule.mutedUntil,
});

async function findRule(
  prisma: Prisma.TransactionClient,
  organizationId: string,
  id: string,
  onlyProject: string | null,
): Promise<AlertRuleRecord | null> {
  const where = { ...seenBy(organizationId, onlyProject), id };
  const row = await prisma.alertRule.findFirst({ where });
  const [found] = row === null ? [] : await withAlerts(prisma, [row]);
  return found ?? null;
}

async function withAlerts(
  prisma: Prisma.TransactionClient,
  rows: readonly AlertRule[],
): Promise<readonly AlertRuleRecord[]> {
  const firing = rows.filter(({ state }) => state === 'firing').map(({ id }) => id);
  const open =
    firing.length === 0
      ? []
      : await prisma.alert.findMany({
          where: { alertRuleId: { in: firing }, state: 'firing' },
          select: { id: true, alertRuleId: true },
        });
  const alertIds = new Map(open.map(({ id, alertRuleId }) => [alertRuleId, id]));
  return rows.map((row) => toAlertRule(row, alertIds.get(row.id) ?? null));
}
