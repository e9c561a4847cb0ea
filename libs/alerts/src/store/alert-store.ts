import {
  type CreatedWithin,
  type Database,
  type HistoryTable,
  prismaOf,
  readHistory,
  seenBy,
  type Transaction,
} from '@svc/database';
import { type Alert, Prisma } from '@svc/database/rows';
import { timeOfId, type Page, type Slice } from '@svc/kernel';
import { type ResolveReason } from '../rules/judge-rule';
import { notificationsAbout, type NotificationRecord } from './alert-notifications';
import { type AlertRuleCopy, type AlertSeverity } from './alert-rule-record';

export interface AlertRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly alertRuleId: string;
  readonly rule: AlertRuleCopy;
  readonly state: 'firing' | 'resolved';
  readonly severity: AlertSeverity;
  readonly observed: bigint;
  readonly peak: bigint;
  readonly windowStartedAt: Date;
  readonly firedAt: Date;
  readonly resolvedAt: Date | null;
  readonly resolveReason: ResolveReason | null;
  readonly acknowledgedBy: string | null;
  readonly acknowledgedAt: Date | null;
  readonly notifications: readonly NotificationRecord[];
  /** The time in its id. */
  readonly createdAt: Date;
}

interface AlertListFilter extends CreatedWithin {
  readonly state?: AlertRecord['state'] | undefined;
  readonly alertRuleId?: string | undefined;
}

/** Alerts as people read and acknowledge them. */
export class AlertStore {
  constructor(private readonly database: Database) {}

  /** Newest first. @param onlyProject shows only the alerts of this project; null for all. */
  async listAlerts(
    organizationId: string,
    page: Page,
    { state, alertRuleId, ...within }: AlertListFilter,
    onlyProject: string | null,
  ): Promise<Slice<AlertRecord>> {
    const conditions = [
      Prisma.sql`organization_id = ${organizationId}`,
      ...(onlyProject === null ? [] : [Prisma.sql`project_id = ${onlyProject}`]),
      ...(state === undefined ? [] : [Prisma.sql`state = ${state}`]),
    ];
    const of =
      alertRuleId === undefined ? {} : { of: { column: Prisma.sql`alert_rule_id`, id: alertRuleId } };
    const query = { organizationId, ...of, page, within, conditions };
    const { items, ...rest } = await readHistory<{ id: string }>(this.database, alerts, query);
    const { prisma } = this.database;
    const where = { id: { in: items.map(({ id }) => id) }, organizationId };
    const rows = await prisma.alert.findMany({ where, orderBy: { id: 'desc' } });
    return { ...rest, items: await withNotifications(prisma, rows) };
  }

  findAlert(organizationId: string, id: string, onlyProject: string | null): Promise<AlertRecord | null> {
    return findAlert(this.database.prisma, organizationId, id, onlyProject);
  }

  /** Locks the alert until the transaction ends. */
  async lockAlert(
    tx: Transaction,
    organizationId: string,
    id: string,
    onlyProject: string | null,
  ): Promise<AlertRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM alerts
      WHERE organization_id = ${organizationId} AND id = ${id} FOR NO KEY UPDATE`;
    return findAlert(prisma, organizationId, id, onlyProject);
  }

  /** @param alert locked. */
  async acknowledge(
    tx: Transaction,
    { id, organizationId }: AlertRecord,
    by: string,
    at: Date,
  ): Promise<AlertRecord> {
    const prisma = prismaOf(tx);
    await prisma.alert.update({ where: { id }, data: { acknowledgedBy: by, acknowledgedAt: at } });
    const after = await findAlert(prisma, organizationId, id, null);
    if (after === null) throw new Error('An alert that was just changed is not there');
    return after;
  }
}

const alerts: HistoryTable = { name: Prisma.sql`alerts`, idKind: 'alert', columns: Prisma.sql`id` };

async function findAlert(
  prisma: Prisma.TransactionClient,
  organizationId: string,
  id: string,
  onlyProject: string | null,
): Promise<AlertRecord | null> {
  const where = { ...seenBy(organizationId, onlyProject), id };
  const [found] = await withNotifications(prisma, await prisma.alert.findMany({ where }));
  return found ?? null;
}

async function withNotifications(
  prisma: Prisma.TransactionClient,
  rows: readonly Alert[],
): Promise<readonly AlertRecord[]> {
  if (rows.length === 0) return [];
  const alertIds = rows.map(({ id }) => id);
  const notifications = await notificationsAbout(prisma, { alertId: { in: alertIds } });
  const byAlert = Map.groupBy(notifications, ({ alertId }) => alertId);
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organizationId,
    alertRuleId: row.alertRuleId,
    rule: row.rule as unknown as AlertRuleCopy,
    state: row.state as AlertRecord['state'],
    severity: row.severity as AlertSeverity,
    observed: row.observed,
    peak: row.peak,
    windowStartedAt: row.windowStartedAt,
    firedAt: row.firedAt,
    resolvedAt: row.resolvedAt,
    resolveReason: row.resolveReason as ResolveReason | null,
    acknowledgedBy: row.acknowledgedBy,
    acknowledgedAt: row.acknowledgedAt,
    notifications: byAlert.get(row.id) ?? [],
    createdAt: new Date(timeOfId(row.id)),
  }));
}
