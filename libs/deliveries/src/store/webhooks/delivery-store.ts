import {
  type CreatedWithin,
  type Database,
  DUE_NOW,
  type HistoryTable,
  idRange,
  prismaOf,
  readHistory,
  type Transaction,
} from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { type DeliveryProgress, type DeliveryStatus, type RecordedEvent } from '@svc/events';
import { timeOfId, type Page, type Slice } from '@svc/kernel';

/** One attempt, as it ended. */
export interface DeliveryAttemptRecord {
  readonly round: number;
  /** 1 to 6 */
  readonly attempt: number;
  readonly startedAt: Date;
  readonly durationMs: number | null;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly responseExcerpt: string | null;
}

/** How a delivery stands. */
export interface WebhookDeliverySummaryRecord extends DeliveryProgress {
  readonly id: string;
  readonly organizationId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** The time in its id. Deliveries are sorted and filtered by it. */
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A delivery, for display. */
export interface WebhookDeliveryRecord extends WebhookDeliverySummaryRecord {
  /** The body, as it is sent. */
  readonly payload: string;
  /** The attempts of all rounds, the oldest first. */
  readonly attempts: readonly DeliveryAttemptRecord[];
}

export interface DeliveryFilter extends CreatedWithin {
  readonly endpointId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly eventType?: string | undefined;
  readonly eventId?: string | undefined;
}

/** A delivery that is locked until the transaction ends. */
interface DeliveryToRetry {
  readonly delivery: WebhookDeliveryRecord;
  /** By the database's clock, which decides what is due. */
  readonly now: Date;
}

/** Which deliveries of an endpoint to send again. */
export interface BulkRetry extends CreatedWithin {
  readonly status: Exclude<DeliveryStatus, 'queued'>;
}

/** The most deliveries that one call re-queues: some seconds of work for the database. */
export const BULK_RETRY_MAX = 10_000;

/** Deliveries as the organization sees and retries them. The dispatcher claims and settles them. */
export class WebhookDeliveryStore {
  constructor(private readonly database: Database) {}

  /** Newest first. A page scans a bounded number of deliveries, however few match. */
  async listWebhookDeliveries(
    organizationId: string,
    page: Page,
    filter: DeliveryFilter,
  ): Promise<Slice<WebhookDeliveryRecord>> {
    const { ids, ...rest } = await this.pageOf(organizationId, page, filter);
    const where = { id: { in: ids }, organizationId };
    const rows = await this.database.prisma.webhookDelivery.findMany({ where, include: whole, orderBy });
    return { ...rest, items: rows.map(toRecord) };
  }

  /** The same without bodies and attempts. */
  async listSummaries(
    organizationId: string,
    page: Page,
    filter: DeliveryFilter,
  ): Promise<Slice<WebhookDeliverySummaryRecord>> {
    const { ids, ...rest } = await this.pageOf(organizationId, page, filter);
    const where = { id: { in: ids }, organizationId };
    const rows = await this.database.prisma.webhookDelivery.findMany({ where, orderBy });
    return { ...rest, items: rows.map(toSummary) };
  }

  findWebhookDelivery(organizationId: string, deliveryId: string): Promise<WebhookDeliveryRecord | null> {
    return findWhole(this.database.prisma, organizationId, deliveryId);
  }

  async lockDelivery(
    tx: Transaction,
    organizationId: string,
    deliveryId: string,
  ): Promise<DeliveryToRetry | null> {
    const prisma = prismaOf(tx);
    const [locked] = await prisma.$queryRaw<Omit<DeliveryToRetry, 'delivery'>[]>`
      SELECT clock_timestamp() AS now FROM webhook_deliveries
      WHERE organization_id = ${organizationId} AND id = ${deliveryId} FOR NO KEY UPDATE`;
    const delivery = await findWhole(prisma, organizationId, deliveryId);
    return locked === undefined || delivery === null ? null : { ...locked, delivery };
  }

  private async pageOf(organizationId: string, page: Page, filter: DeliveryFilter) {
    const conditions = conditionsOf(organizationId, filter);
    const query = { organizationId, ...rangeOf(filter), page, within: filter, conditions };
    const { items, ...rest } = await readHistory<{ id: string }>(this.database, webhookDeliveries, query);
    return { ...rest, ids: items.map(({ id }) => id) };
  }

  /**
   * Must follow {@link lockDelivery}. An attempt in flight keeps its lease, and its settlement does not change the new round.
   */
  async requeue(
    tx: Transaction,
    deliveryId: string,
    { status, round, attemptCount, nextAttemptAt }: DeliveryProgress,
  ): Promise<WebhookDeliveryRecord> {
    const row = await prismaOf(tx).webhookDelivery.update({
      where: { id: deliveryId },
      data: { status, round, attemptCount, nextAttemptAt },
      include: whole,
    });
    return toRecord(row);
  }

  /**
   * Applies the rule of `retriedByHand` to many in one statement, the oldest first. Locks them in the same order as
   * settlements.
   * @returns how many, {@link BULK_RETRY_MAX} at most.
   */
  requeueMany(tx: Transaction, endpointId: string, { status, ...within }: BulkRetry): Promise<number> {
    const [from, to] = idRange('webhookDelivery', null, within);
    return prismaOf(tx).$executeRaw`
      WITH chosen AS MATERIALIZED (
        SELECT id FROM webhook_deliveries
        WHERE (endpoint_id, id) >= (${endpointId}, ${from}) AND (endpoint_id, id) < (${endpointId}, ${to})
          AND status = ${status}
        ORDER BY endpoint_id, id LIMIT ${BULK_RETRY_MAX} FOR NO KEY UPDATE
      )
      UPDATE webhook_deliveries d
      SET status = 'queued', round = d.round + 1, attempt_count = 0, next_attempt_at = ${dueNow}, updated_at = now()
      FROM chosen WHERE d.id = chosen.id`;
  }

  /**
   * Queues a test for this endpoint only. It bypasses the outbox and the endpoint's subscriptions, and is due at once.
   */
  async queueTest(
    tx: Transaction,
    deliveryId: string,
    endpointId: string,
    { id, organizationId, type, payload }: RecordedEvent,
  ): Promise<WebhookDeliveryRecord> {
    const prisma = prismaOf(tx);
    // The database's clock sets the due time, because the same clock decides what is due.
    await prisma.$executeRaw`INSERT INTO webhook_events (id, organization_id, type, payload)
      VALUES (${id}, ${organizationId}, ${type}, ${payload})`;
    await prisma.$executeRaw`INSERT INTO webhook_deliveries (id, organization_id, event_id, event_type, endpoint_id,
        next_attempt_at)
      VALUES (${deliveryId}, ${organizationId}, ${id}, ${type}, ${endpointId}, ${dueNow})`;
    const where = { id: deliveryId };
    return toRecord(await prisma.webhookDelivery.findUniqueOrThrow({ where, include: whole }));
  }
}

export const webhookDeliveries: HistoryTable = {
  name: Prisma.sql`webhook_deliveries`,
  idKind: 'webhookDelivery',
  columns: Prisma.sql`id`,
};

const dueNow = Prisma.raw(DUE_NOW);
const orderBy = { id: 'desc' } as const;

/** An event has one delivery an endpoint: its index is the narrowest. */
function rangeOf({ endpointId, eventId }: DeliveryFilter) {
  if (eventId !== undefined) return { of: { column: Prisma.sql`event_id`, id: eventId } };
  if (endpointId !== undefined) return { of: { column: Prisma.sql`endpoint_id`, id: endpointId } };
  return {};
}

const conditionsOf = (
  organizationId: string,
  { endpointId, status, eventType }: DeliveryFilter,
): readonly Prisma.Sql[] => [
  // An event's or an endpoint's id may be another organization's.
  Prisma.sql`organization_id = ${organizationId}`,
  ...(endpointId === undefined ? [] : [Prisma.sql`endpoint_id = ${endpointId}`]),
  Prisma.sql`EXISTS (SELECT FROM webhook_endpoints e WHERE e.id = endpoint_id AND e.deleted_at IS NULL)`,
  ...(status === undefined ? [] : [Prisma.sql`status = ${status}`]),
  ...(eventType === undefined ? [] : [Prisma.sql`event_type = ${eventType}`]),
];

const whole = {
  event: { select: { payload: true } },
  attempts: { orderBy: [{ round: 'asc' }, { attempt: 'asc' }] },
} as const satisfies Prisma.WebhookDeliveryInclude;

type Row = Prisma.WebhookDeliveryGetPayload<{ include: typeof whole }>;

async function findWhole(
  prisma: Prisma.TransactionClient,
  organizationId: string,
  id: string,
): Promise<WebhookDeliveryRecord | null> {
  const where = { organizationId, id, endpoint: { deletedAt: null } };
  const row = await prisma.webhookDelivery.findFirst({ where, include: whole });
  return row && toRecord(row);
}

const toSummary = (row: Omit<Row, 'event' | 'attempts'>): WebhookDeliverySummaryRecord => ({
  id: row.id,
  organizationId: row.organizationId,
  endpointId: row.endpointId,
  eventId: row.eventId,
  eventType: row.eventType,
  status: row.status as DeliveryStatus,
  round: row.round,
  attemptCount: row.attemptCount,
  nextAttemptAt: row.nextAttemptAt,
  createdAt: new Date(timeOfId(row.id)),
  updatedAt: row.updatedAt,
});

const toRecord = (row: Row): WebhookDeliveryRecord => ({
  ...toSummary(row),
  payload: row.event.payload,
  attempts: row.attempts.map(({ deliveryId: _, ...attempt }) => attempt),
});
