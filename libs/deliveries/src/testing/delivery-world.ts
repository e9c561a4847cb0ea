import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { type EndpointState, isEnabledState, recordEvent } from '@svc/events';
import { systemIds } from '@svc/runtime';
import { type DeliveryScheduleOptions } from '../store/engine/delivery-schedule';
import { type EndedAttempt } from '../store/engine/ended-attempt';
import { type LeasedDelivery } from '../store/engine/leased-delivery';
import { webhookSchedule, type WebhookSchedule } from '../store/webhooks/webhook-queue';
import { IntakeOfSpec } from './intake-of-spec';

interface StoredDelivery {
  readonly id: string;
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly status: string;
  readonly round: number;
  readonly attempt_count: number;
  readonly next_attempt_at: Date | null;
  readonly lease_id: string | null;
}

interface StoredLane {
  readonly turn_at: Date | null;
  readonly full: boolean;
  readonly slots: number;
}

/** A database with an organization, to which a spec adds endpoints and deliveries. */
export class DeliveryWorld {
  readonly organizationId = systemIds('organization');
  readonly intake: IntakeOfSpec;

  private constructor(readonly test: TestDatabase) {
    this.intake = new IntakeOfSpec(test.database);
  }

  static async open(): Promise<DeliveryWorld> {
    const world = new DeliveryWorld(await emptyTestDatabase());
    await world.sql(`INSERT INTO organizations (id, name) VALUES ($1, 'Acme')`, [world.organizationId]);
    return world;
  }

  close(): Promise<void> {
    return this.test.close();
  }

  async sql<R = Record<string, unknown>>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.test.database.pool.query(text, [...values])).rows as R[];
  }

  schedule(options?: DeliveryScheduleOptions): WebhookSchedule {
    return webhookSchedule(this.test.database, options);
  }

  /** Adds an endpoint with, by default, the most concurrent attempts. @returns its id. */
  async addEndpoint(state: EndpointState = 'active', slots = 8): Promise<string> {
    const id = systemIds('webhookEndpoint');
    await this.sql(
      `INSERT INTO webhook_endpoints (id, organization_id, url, event_types, state, enabled, secret_ciphertext, secret_last4)
       VALUES ($1, $2, 'https://hooks.example.com/' || $1, '{}', $3, $4, $5, 'abcd')`,
      [id, this.organizationId, state, isEnabledState(state), Buffer.from(`sealed ${id}`)],
    );
    await this.sql('INSERT INTO webhook_lanes (endpoint_id, slots) VALUES ($1, $2)', [id, slots]);
    return id;
  }

  newEvent() {
    return recordEvent(systemIds('event'), 'policy.updated', this.organizationId, Date.now(), {
      policy_id: systemIds('policy'),
      version: 1,
      level: 'organization',
      project_id: null,
      api_key_id: null,
    });
  }

  /** Adds `count` due deliveries for each of these endpoints. */
  async add(endpointIds: readonly string[], count = 1): Promise<void> {
    for (let made = 0; made < count; made++) await this.intake.record(this.newEvent(), endpointIds);
  }

  /** Queues a test of the endpoint, as the management API does. */
  async addTest(endpointId: string): Promise<string> {
    const event = recordEvent(systemIds('event'), 'webhook.test', this.organizationId, Date.now(), {
      endpoint_id: endpointId,
    });
    await this.intake.record(event, [endpointId]);
    return event.id;
  }

  deliveries(): Promise<StoredDelivery[]> {
    return this.sql<StoredDelivery>('SELECT * FROM webhook_deliveries ORDER BY id');
  }

  async delivery(id: string): Promise<StoredDelivery> {
    const [row] = await this.sql<StoredDelivery>('SELECT * FROM webhook_deliveries WHERE id = $1', [id]);
    if (row === undefined) throw new Error(`no delivery ${id}`);
    return row;
  }

  async lane(endpointId: string): Promise<StoredLane> {
    const [row] = await this.sql<StoredLane>('SELECT * FROM webhook_lanes WHERE endpoint_id = $1', [
      endpointId,
    ]);
    if (row === undefined) throw new Error(`no lane ${endpointId}`);
    return row;
  }
}

/** An ended attempt, by default a failed one. */
export const ended = <Leased extends LeasedDelivery>(
  delivery: Leased,
  changes: Partial<Omit<EndedAttempt, 'delivery'>> = {},
): EndedAttempt<Leased> => ({
  delivery,
  outcome: 'failed',
  isOwnFault: false,
  durationMs: 12,
  statusCode: 500,
  error: null,
  responseExcerpt: 'no',
  ...changes,
});

export const ACKNOWLEDGED: Partial<Omit<EndedAttempt, 'delivery'>> = {
  outcome: 'acknowledged',
  statusCode: 204,
  responseExcerpt: null,
};
