import { DUE_NOW, prismaOf, type Transaction } from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { type NewId } from '@svc/kernel';
import { systemIds } from '@svc/runtime';

/** An endpoint as an event's fan-out sees it. */
export interface SubscribedEndpoint {
  readonly id: string;
  readonly organizationId: string;
  /** Empty: every event. */
  readonly eventTypes: readonly string[];
}

/** An event to deliver. */
export interface DeliverableEvent {
  readonly id: string;
  readonly type: string;
  readonly organizationId: string;
  /** The webhook body, byte for byte. */
  readonly payload: string;
}

/** An event and the endpoints that receive it. */
export interface AddressedEvent {
  readonly event: DeliverableEvent;
  readonly endpointIds: readonly string[];
}

/** Turns events into deliveries. */
export class DeliveryIntake {
  constructor(private readonly newId: NewId = systemIds) {}

  /**
   * Every endpoint of these organizations that is not deleted. Paused and disabled ones are included: their deliveries
   * wait.
   */
  endpointsOf(tx: Transaction, organizationIds: readonly string[]): Promise<readonly SubscribedEndpoint[]> {
    return prismaOf(tx).webhookEndpoint.findMany({
      where: { organizationId: { in: [...organizationIds] }, deletedAt: null },
      select: { id: true, organizationId: true, eventTypes: true },
      orderBy: { id: 'asc' },
    });
  }

  /**
   * Creates one delivery per event and endpoint, due now. A repeat creates only missing ones. It is one statement, so
   * that the lanes are locked in order.
   * @returns how many were created.
   */
  async recordDeliveries(tx: Transaction, addressed: readonly AddressedEvent[]): Promise<number> {
    const sent = addressed.filter(({ endpointIds }) => endpointIds.length > 0);
    if (sent.length === 0) return 0;
    const events = sent.map(({ event }) => event);
    const deliveries = sent.flatMap(({ event, endpointIds }) =>
      endpointIds.map((endpointId) => ({ id: this.newId('webhookDelivery'), eventId: event.id, endpointId })),
    );
    return prismaOf(tx).$executeRaw`
      WITH event AS MATERIALIZED (
        SELECT * FROM unnest(${events.map(({ id }) => id)}::text[],
          ${events.map(({ organizationId }) => organizationId)}::text[],
          ${events.map(({ type }) => type)}::text[], ${events.map(({ payload }) => payload)}::text[])
          AS e (id, organization_id, type, payload)
      ), kept AS (
        INSERT INTO webhook_events (id, organization_id, type, payload) SELECT * FROM event ON CONFLICT DO NOTHING)
      INSERT INTO webhook_deliveries (id, organization_id, event_id, event_type, endpoint_id, next_attempt_at)
      SELECT d.id, e.organization_id, e.id, e.type, d.endpoint_id, ${Prisma.raw(DUE_NOW)}
      FROM unnest(${deliveries.map(({ id }) => id)}::text[], ${deliveries.map(({ eventId }) => eventId)}::text[],
          ${deliveries.map(({ endpointId }) => endpointId)}::text[])
        WITH ORDINALITY AS d (id, event_id, endpoint_id, place)
      JOIN (SELECT DISTINCT ON (id) id, organization_id, type FROM event ORDER BY id) e ON e.id = d.event_id
      ORDER BY d.place
      ON CONFLICT (event_id, endpoint_id) DO NOTHING`;
  }
}
