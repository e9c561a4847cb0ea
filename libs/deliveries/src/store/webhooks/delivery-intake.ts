import { type Database, DUE_NOW } from '@svc/database';
import { type NewId } from '@svc/kernel';
import { systemIds } from '@svc/runtime';

/** An endpoint as an event's fan-out sees it. */
export interface SubscribedEndpoint {
  readonly id: string;
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

const ENDPOINTS_A_STATEMENT = 1_000;

/** Turns events into deliveries. */
export class DeliveryIntake {
  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
  ) {}

  /**
   * Every endpoint of the organization that is not deleted. Paused and disabled ones are included: their deliveries
   * wait.
   */
  async endpointsOf(organizationId: string): Promise<readonly SubscribedEndpoint[]> {
    const { rows } = await this.database.pool.query<SubscribedEndpoint>({
      name: 'subscribed_endpoints',
      text: `SELECT id, event_types AS "eventTypes" FROM webhook_endpoints
             WHERE organization_id = $1 AND deleted_at IS NULL ORDER BY id`,
      values: [organizationId],
    });
    return rows;
  }

  /**
   * Creates one delivery per endpoint, due now. A repeat creates only missing ones, for example after a failure
   * half-way.
   * @returns how many were created.
   */
  async record(event: DeliverableEvent, endpointIds: readonly string[]): Promise<number> {
    let made = 0;
    for (let at = 0; at < endpointIds.length; at += ENDPOINTS_A_STATEMENT) {
      made += await this.recordSome(event, endpointIds.slice(at, at + ENDPOINTS_A_STATEMENT));
    }
    return made;
  }

  private async recordSome(
    { id, organizationId, type, payload }: DeliverableEvent,
    endpointIds: readonly string[],
  ): Promise<number> {
    const deliveryIds = endpointIds.map(() => this.newId('webhookDelivery'));
    const { rowCount } = await this.database.pool.query({
      name: 'record_deliveries',
      text: `WITH event AS (
               INSERT INTO webhook_events (id, organization_id, type, payload) VALUES ($1, $2, $3, $4)
               ON CONFLICT DO NOTHING)
             INSERT INTO webhook_deliveries (id, organization_id, event_id, event_type, endpoint_id, next_attempt_at)
             SELECT delivery_id, $2, $1, $3, endpoint_id, ${DUE_NOW}
             FROM unnest($5::text[], $6::text[]) AS d (delivery_id, endpoint_id)
             ON CONFLICT (event_id, endpoint_id) DO NOTHING`,
      values: [id, organizationId, type, payload, deliveryIds, endpointIds],
    });
    return rowCount ?? 0;
  }
}
