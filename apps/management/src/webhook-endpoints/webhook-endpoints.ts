import { randomBytes } from 'node:crypto';
import { type z } from 'zod';
import {
  formatSigningSecret,
  healthAfterPatch,
  isEventTypePattern,
  readWebhookUrl,
  recordEvent,
  SIGNING_SECRET_ENTROPY_BYTES,
  signingSecretLast4,
  type WebhookUrlPolicy,
} from '@svc/events';
import { GatewayError } from '@svc/kernel';
import {
  changedFields,
  initialFields,
  signingSecretContext,
  type Mutation,
  type Mutations,
  type OrganizationStore,
  type StoredSigningSecret,
  type WebhookDeliveryRecord,
  type WebhookDeliveryStore,
  type WebhookEndpointChange,
  type WebhookEndpointFilter,
  type WebhookEndpointRecord,
  type WebhookEndpointStore,
} from '@svc/persistence';
import { type Sealer } from '@svc/platform';
import { unknownResource, type Caller, type Page, type Slice } from '@svc/platform/api';
import {
  ENDPOINTS_MAX,
  type newWebhookEndpoint,
  type webhookEndpointChange,
} from './webhook-endpoint-schema';

export interface WebhookEndpointsOptions {
  readonly store: WebhookEndpointStore;
  readonly deliveries: WebhookDeliveryStore;
  readonly organizations: OrganizationStore;
  readonly mutations: Mutations;
  readonly sealer: Sealer;
  readonly urlPolicy: WebhookUrlPolicy;
}

export interface IssuedSecret {
  /** In the clear, this once. */
  readonly secret: string;
  readonly record: WebhookEndpointRecord;
}

/** Where an organization wants to be told of its events. */
export class WebhookEndpoints {
  constructor(private readonly options: WebhookEndpointsOptions) {}

  list(
    { organizationId }: Caller,
    page: Page,
    filter: WebhookEndpointFilter,
  ): Promise<Slice<WebhookEndpointRecord>> {
    return this.options.store.list(organizationId, page, filter);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId }: Caller, id: string): Promise<WebhookEndpointRecord> {
    return known(await this.options.store.find(organizationId, id));
  }

  /** @throws GatewayError `urlNotAllowed`, `unknownEventType`, or `conflict` where there are as many as there can be. */
  create(caller: Caller, body: z.output<typeof newWebhookEndpoint>): Promise<IssuedSecret> {
    const { store, organizations, mutations } = this.options;
    const { organizationId } = caller;
    const { description } = body;
    const url = this.readUrl(body.url);
    const eventTypes = readEventTypes(body.event_types);
    return mutations.run(caller, async ({ tx, newId, audit, announce }) => {
      await organizations.lock(tx, organizationId);
      if ((await store.count(tx, organizationId)) >= ENDPOINTS_MAX) throw tooMany();
      const id = newId('webhookEndpoint');
      const { secret, stored } = this.newSecret(id);
      const record = await store.create(tx, { id, organizationId, url, description, eventTypes, ...stored });
      await audit('webhook_endpoint.create', id, initialFields(audited(record)));
      await announce('webhook.endpoint_created', announced(record));
      return { secret, record };
    });
  }

  /** @throws GatewayError `notFound`, `urlNotAllowed`, `unknownEventType`. */
  change(
    caller: Caller,
    id: string,
    body: z.output<typeof webhookEndpointChange>,
  ): Promise<WebhookEndpointRecord> {
    return this.locked(caller, id, async (before, { tx, audit, announce }) => {
      const change = this.changeBy(before, body);
      const changes = changedFields(audited(before), audited({ ...before, ...change }));
      if (Object.keys(changes).length === 0) return before;
      const after = await this.options.store.change(tx, id, change);
      await audit('webhook_endpoint.update', id, changes);
      await announce('webhook.endpoint_updated', announced(after));
      return after;
    });
  }

  /** @throws GatewayError `notFound`. */
  delete(caller: Caller, id: string): Promise<void> {
    return this.locked(caller, id, async (before, { tx, audit, announce }) => {
      await this.options.store.delete(tx, id);
      await audit('webhook_endpoint.delete', id);
      await announce('webhook.endpoint_deleted', announced(before));
    });
  }

  /** @throws GatewayError `notFound`. */
  rotateSecret(caller: Caller, id: string): Promise<IssuedSecret> {
    return this.locked(caller, id, async (before, { tx, audit, announce }) => {
      const { secret, stored } = this.newSecret(id);
      const record = await this.options.store.rotateSecret(tx, id, stored);
      // That the secret changed is told even where its end did not.
      await audit('webhook_endpoint.rotate_secret', id, {
        signing_secret: {},
        ...changedFields({ secret_last4: before.secretLast4 }, { secret_last4: record.secretLast4 }),
      });
      await announce('webhook.secret_rotated', announced(record));
      return { secret, record };
    });
  }

  /**
   * Sends a `webhook.test` whatever the endpoint subscribes to, and whether or not it is paused.
   * @throws GatewayError `notFound`.
   */
  test(caller: Caller, id: string): Promise<WebhookDeliveryRecord> {
    return this.locked(caller, id, async (_, { tx, newId, at, audit }) => {
      await audit('webhook_endpoint.test', id);
      const data = { endpoint_id: id };
      const event = recordEvent(newId('event'), 'webhook.test', caller.organizationId, at.getTime(), data);
      return this.options.deliveries.queueTest(tx, newId('webhookDelivery'), id, event);
    });
  }

  private locked<T>(
    caller: Caller,
    id: string,
    work: (before: WebhookEndpointRecord, mutation: Mutation) => Promise<T>,
  ): Promise<T> {
    const { store, mutations } = this.options;
    return mutations.run(caller, async (mutation) =>
      work(known(await store.lock(mutation.tx, caller.organizationId, id)), mutation),
    );
  }

  private changeBy(
    before: WebhookEndpointRecord,
    { url, description, event_types: eventTypes, enabled }: z.output<typeof webhookEndpointChange>,
  ): WebhookEndpointChange {
    const { state, consecutiveFailures } = enabled === undefined ? before : healthAfterPatch(before, enabled);
    return {
      url: url === undefined ? before.url : this.readUrl(url),
      description: description ?? before.description,
      eventTypes: eventTypes === undefined ? before.eventTypes : readEventTypes(eventTypes),
      state,
      consecutiveFailures,
      disabledReason: enabled === undefined ? before.disabledReason : null,
    };
  }

  private readUrl(text: string): string {
    const read = readWebhookUrl(text, this.options.urlPolicy);
    if ('url' in read) return read.url;
    throw new GatewayError('urlNotAllowed', `url: ${read.problem}.`, { param: 'url' });
  }

  private newSecret(endpointId: string): { readonly secret: string; readonly stored: StoredSigningSecret } {
    const secret = formatSigningSecret(randomBytes(SIGNING_SECRET_ENTROPY_BYTES));
    const sealedSecret = this.options.sealer.seal(Buffer.from(secret), signingSecretContext(endpointId));
    return { secret, stored: { sealedSecret, secretLast4: signingSecretLast4(secret) } };
  }
}

function readEventTypes(given: readonly string[]): readonly string[] {
  const at = given.findIndex((text) => !isEventTypePattern(text));
  if (at < 0) return given;
  const param = `event_types[${String(at)}]`;
  throw new GatewayError(
    'unknownEventType',
    `${param}: must be the name of an event, or <noun>.* of one. /api/v1/webhook-events lists them.`,
    { param },
  );
}

const tooMany = (): GatewayError =>
  new GatewayError(
    'conflict',
    `An organization has at most ${String(ENDPOINTS_MAX)} webhook endpoints: delete one first.`,
  );

function known(endpoint: WebhookEndpointRecord | null): WebhookEndpointRecord {
  if (endpoint === null) throw unknownResource();
  return endpoint;
}

const audited = (record: WebhookEndpointRecord) => ({
  url: record.url,
  description: record.description,
  event_types: [...record.eventTypes],
  state: record.state,
  consecutive_failures: record.consecutiveFailures,
});

const announced = (record: WebhookEndpointRecord) => ({
  endpoint_id: record.id,
  url: record.url,
  event_types: [...record.eventTypes],
  secret_last4: record.secretLast4,
  state: record.state,
});
