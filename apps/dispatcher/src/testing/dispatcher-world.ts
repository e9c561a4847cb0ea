import {
  type EventData,
  type EventType,
  formatSigningSecret,
  isEnabledState,
  recordEvent,
  type EndpointState,
} from '@svc/events';
import { signingSecretContext } from '@svc/deliveries/store';
import { IntakeOfSpec } from '@svc/deliveries/testing';
import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemIds } from '@svc/runtime';
import { eventually } from '@svc/testing';
import { Receiver } from './receiver';
import { type DispatcherOptions, type RunningDispatcher, sealer, startDispatcher } from './start-dispatcher';

/** Real PostgreSQL, real receivers, and as many dispatchers as a spec asks for. */
export class DispatcherWorld {
  readonly organizationId = systemIds('organization');
  private readonly dispatchers: RunningDispatcher[] = [];

  private constructor(
    readonly test: TestDatabase,
    readonly receiver: Receiver,
  ) {}

  static async open(): Promise<DispatcherWorld> {
    const world = new DispatcherWorld(await emptyTestDatabase(), await Receiver.start());
    await world.sql(`INSERT INTO organizations (id, name) VALUES ($1, 'Acme')`, [world.organizationId]);
    return world;
  }

  async sql<R = Record<string, unknown>>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.test.database.pool.query(text, [...values])).rows as R[];
  }

  async close(): Promise<void> {
    await Promise.all(this.dispatchers.map(({ stop }) => stop()));
    await this.receiver.close();
    await this.test.close();
  }

  start(options: DispatcherOptions = {}): RunningDispatcher {
    const running = startDispatcher({ database: this.test.database, ...options });
    this.dispatchers.push(running);
    return running;
  }

  /** @returns its id. */
  async addEndpoint(
    given: {
      readonly url?: string;
      readonly eventTypes?: readonly string[];
      readonly state?: EndpointState;
      readonly secret?: string;
      readonly consecutiveFailures?: number;
    } = {},
  ): Promise<string> {
    const id = systemIds('webhookEndpoint');
    const { url = `${this.receiver.origin}/${id}`, eventTypes = [], state = 'active' } = given;
    const sealed = sealer.seal(Buffer.from(given.secret ?? secretOf(id)), signingSecretContext(id));
    await this.sql(
      `INSERT INTO webhook_endpoints (id, organization_id, url, event_types, state, enabled, secret_ciphertext,
         secret_last4, consecutive_failures)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'abcd', $8)`,
      [
        id,
        this.organizationId,
        url,
        eventTypes,
        state,
        isEnabledState(state),
        sealed,
        given.consecutiveFailures ?? 0,
      ],
    );
    return id;
  }

  newEvent<T extends EventType = 'policy.updated'>(type?: T, data?: EventData[T]) {
    const eventType = (type ?? 'policy.updated') as T;
    const content = data ?? (newPolicyVersion() as unknown as EventData[T]);
    return recordEvent(systemIds('event'), eventType, this.organizationId, Date.now(), content);
  }

  /** Stores an event's deliveries without an event transport. @returns the event. */
  async deliver(event = this.newEvent(), ...endpointIds: readonly string[]) {
    const intake = new IntakeOfSpec(this.test.database);
    const all = await intake.endpointsOf(this.organizationId);
    await intake.record(event, endpointIds.length > 0 ? endpointIds : all.map(({ id }) => id));
    return event;
  }

  deliveries(): Promise<DeliveryRow[]> {
    return this.sql<DeliveryRow>('SELECT * FROM webhook_deliveries ORDER BY id');
  }

  attempts(deliveryId?: string): Promise<AttemptRow[]> {
    return this.sql<AttemptRow>(
      'SELECT * FROM webhook_delivery_attempts WHERE $1::text IS NULL OR delivery_id = $1 ORDER BY round, attempt',
      [deliveryId ?? null],
    );
  }

  async endpoint(id: string): Promise<EndpointRow> {
    const [row] = await this.sql<EndpointRow>('SELECT * FROM webhook_endpoints WHERE id = $1', [id]);
    if (row === undefined) throw new Error(`no endpoint ${id}`);
    return row;
  }

  /** Waits until no delivery has an attempt to come. */
  settled(timeoutMs = 20_000): Promise<DeliveryRow[]> {
    return eventually(async () => {
      const deliveries = await this.deliveries();
      const waiting = deliveries.filter(({ status: now }) => now === 'queued' || now === 'failed');
      if (waiting.length > 0) throw new Error(`${String(waiting.length)} deliveries still wait`);
      return deliveries;
    }, timeoutMs);
  }
}

interface DeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly status: string;
  readonly round: number;
  readonly attempt_count: number;
  readonly next_attempt_at: Date | null;
  readonly lease_id: string | null;
  readonly created_at: Date;
}

interface AttemptRow {
  readonly delivery_id: string;
  readonly round: number;
  readonly attempt: number;
  readonly started_at: Date;
  readonly duration_ms: number | null;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly response_excerpt: string | null;
}

interface EndpointRow {
  readonly id: string;
  readonly state: string;
  readonly enabled: boolean;
  readonly consecutive_failures: number;
  readonly disabled_reason: string | null;
}

/** The signing secret of an endpoint, derived from its id. */
export const secretOf = (endpointId: string): string =>
  formatSigningSecret(Buffer.from(endpointId.padEnd(32, '.').slice(-32)));

const newPolicyVersion = (): EventData['policy.updated'] => ({
  policy_id: systemIds('policy'),
  version: 1,
  level: 'organization',
  project_id: null,
  api_key_id: null,
});
