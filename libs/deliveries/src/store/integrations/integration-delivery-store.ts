import {
  type Database,
  DUE_NOW,
  type HistoryTable,
  prismaOf,
  readHistory,
  type Transaction,
} from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { type DeliveryProgress, type DeliveryStatus } from '@svc/events';
import { timeOfId, type Page, type Slice } from '@svc/kernel';
import { type DeliveryFilter, type WebhookDeliveryRecord } from '../webhooks/delivery-store';

/** A delivery to an integration, for display. */
export interface IntegrationDeliveryRecord extends DeliveryProgress {
  readonly id: string;
  readonly organizationId: string;
  readonly integrationId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** The rendered message, without secrets. */
  readonly body: string;
  /** The attempts of all rounds, the oldest first. */
  readonly attempts: WebhookDeliveryRecord['attempts'];
  /** The time in its id. */
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A message to queue. */
export interface NewIntegrationDelivery {
  readonly id: string;
  readonly organizationId: string;
  readonly integrationId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly body: string;
  readonly alertId: string | null;
}

/** Deliveries to integrations as the organization sees and retries them. */
export class IntegrationDeliveryStore {
  constructor(private readonly database: Database) {}

  /** Newest first. A page scans a bounded number of deliveries, however few match. */
  async listIntegrationDeliveries(
    organizationId: string,
    integrationId: string,
    page: Page,
    filter: Omit<DeliveryFilter, 'endpointId'>,
  ): Promise<Slice<IntegrationDeliveryRecord>> {
    const of = { column: Prisma.sql`integration_id`, id: integrationId };
    const query = { organizationId, of, page, within: filter, conditions: conditionsOf(filter) };
    const { items, ...rest } = await readHistory<{ id: string }>(this.database, deliveries, query);
    const rows = await this.database.prisma.integrationDelivery.findMany({
      where: { id: { in: items.map(({ id }) => id) }, organizationId },
      include: whole,
      orderBy: { id: 'desc' },
    });
    return { ...rest, items: rows.map(toRecord) };
  }

  async findIntegrationDelivery(
    organizationId: string,
    integrationId: string,
    id: string,
  ): Promise<IntegrationDeliveryRecord | null> {
    const where = { organizationId, integrationId, id, integration: { deletedAt: null } };
    const row = await this.database.prisma.integrationDelivery.findFirst({ where, include: whole });
    return row && toRecord(row);
  }

  /** Locks a delivery until the transaction ends. `now` is the database's time, which decides what is due. */
  async lockDelivery(
    tx: Transaction,
    organizationId: string,
    integrationId: string,
    id: string,
  ): Promise<{ readonly delivery: IntegrationDeliveryRecord; readonly now: Date } | null> {
    const prisma = prismaOf(tx);
    const [locked] = await prisma.$queryRaw<{ now: Date }[]>`
      SELECT clock_timestamp() AS now FROM integration_deliveries
      WHERE organization_id = ${organizationId} AND id = ${id} FOR NO KEY UPDATE`;
    const where = { organizationId, integrationId, id, integration: { deletedAt: null } };
    const row = await prisma.integrationDelivery.findFirst({ where, include: whole });
    return locked === undefined || row === null ? null : { ...locked, delivery: toRecord(row) };
  }

  /** Must follow {@link lockDelivery}. An attempt in flight does not change the new round. */
  async requeue(
    tx: Transaction,
    id: string,
    { status, round, attemptCount, nextAttemptAt }: DeliveryProgress,
  ): Promise<IntegrationDeliveryRecord> {
    const data = { status, round, attemptCount, nextAttemptAt };
    return toRecord(await prismaOf(tx).integrationDelivery.update({ where: { id }, data, include: whole }));
  }

  /** Queues a message to one integration, due at once. */
  async queue(tx: Transaction, delivery: NewIntegrationDelivery): Promise<IntegrationDeliveryRecord> {
    await queueIntegrationDeliveries(tx, [delivery]);
    const where = { id: delivery.id };
    return toRecord(await prismaOf(tx).integrationDelivery.findUniqueOrThrow({ where, include: whole }));
  }
}

/**
 * Queues messages, due at once by the database's clock. A repeat queues only missing ones.
 * @returns the ids of those that were queued.
 */
export async function queueIntegrationDeliveries(
  tx: Transaction,
  queued: readonly NewIntegrationDelivery[],
): Promise<readonly string[]> {
  if (queued.length === 0) return [];
  const rows = queued.map((delivery) => ({
    id: delivery.id,
    organization_id: delivery.organizationId,
    integration_id: delivery.integrationId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    body: delivery.body,
    alert_id: delivery.alertId,
  }));
  const made = await prismaOf(tx).$queryRaw<{ id: string }[]>`
    INSERT INTO integration_deliveries (id, organization_id, integration_id, event_id, event_type, body, alert_id,
      next_attempt_at)
    SELECT d.*, ${Prisma.raw(DUE_NOW)} FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS d (id text, organization_id text,
      integration_id text, event_id text, event_type text, body text, alert_id text)
    ON CONFLICT (event_id, integration_id) DO NOTHING RETURNING id`;
  return made.map(({ id }) => id);
}

const deliveries: HistoryTable = {
  name: Prisma.sql`integration_deliveries`,
  idKind: 'webhookDelivery',
  columns: Prisma.sql`id`,
};

const conditionsOf = ({ status, eventType, eventId }: DeliveryFilter): readonly Prisma.Sql[] => [
  ...(status === undefined ? [] : [Prisma.sql`status = ${status}`]),
  ...(eventType === undefined ? [] : [Prisma.sql`event_type = ${eventType}`]),
  ...(eventId === undefined ? [] : [Prisma.sql`event_id = ${eventId}`]),
];

const whole = {
  attempts: { orderBy: [{ round: 'asc' }, { attempt: 'asc' }] },
} as const satisfies Prisma.IntegrationDeliveryInclude;

const toRecord = (
  row: Prisma.IntegrationDeliveryGetPayload<{ include: typeof whole }>,
): IntegrationDeliveryRecord => ({
  id: row.id,
  organizationId: row.organizationId,
  integrationId: row.integrationId,
  eventId: row.eventId,
  eventType: row.eventType,
  body: row.body,
  status: row.status as DeliveryStatus,
  round: row.round,
  attemptCount: row.attemptCount,
  nextAttemptAt: row.nextAttemptAt,
  attempts: row.attempts.map(({ deliveryId: _, ...attempt }) => attempt),
  createdAt: new Date(timeOfId(row.id)),
  updatedAt: row.updatedAt,
});
