import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type z } from 'zod';
import { known, requireRoom, type Caller } from '@svc/api';
import { type Mutation, Mutations } from '@svc/approvals/store';
import {
  formatSigningSecret,
  readWebhookUrl,
  recordEvent,
  SIGNING_SECRET_ENTROPY_BYTES,
  signingSecretLast4,
  testedExample,
  type EventData,
  type WebhookUrlPolicy,
} from '@svc/events';
import { GatewayError, type Page, type Slice } from '@svc/kernel';
import { changedFields, initialFields } from '@svc/database';
import {
  signingSecretContext,
  type StoredSigningSecret,
  type WebhookDeliveryRecord,
  WebhookDeliveryStore,
  type WebhookEndpointChange,
  type WebhookEndpointFilter,
  type WebhookEndpointRecord,
  WebhookEndpointStore,
} from '@svc/deliveries/store';
import { type Sealer } from '@svc/runtime';
import { SEALER, WEBHOOK_URL_POLICY } from '../runtime';
import { healthAfterChange, readEventTypes } from '../webhook-events/receivers';
import {
  ENDPOINTS_MAX,
  type IssuedSecret,
  type newWebhookEndpoint,
  type webhookEndpointChange,
  type webhookTest,
} from './webhook-endpoint-schema';

/** An organization's webhook endpoints, to which its events are sent. */
@Injectable()
export class WebhookEndpoints {
  constructor(
    private readonly store: WebhookEndpointStore,
    private readonly deliveries: WebhookDeliveryStore,
    private readonly mutations: Mutations,
    @Inject(SEALER) private readonly sealer: Sealer,
    @Inject(WEBHOOK_URL_POLICY) private readonly urlPolicy: WebhookUrlPolicy,
  ) {}

  list(
    { organizationId }: Caller,
    page: Page,
    filter: WebhookEndpointFilter,
  ): Promise<Slice<WebhookEndpointRecord>> {
    return this.store.listWebhookEndpoints(organizationId, page, filter);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId }: Caller, id: string): Promise<WebhookEndpointRecord> {
    return known(await this.store.findWebhookEndpoint(organizationId, id));
  }

  /**
   * @throws GatewayError `urlNotAllowed`, `unknownEventType`, or `conflict` where the organization has the most that it
   * can have.
   */
  create(caller: Caller, body: z.output<typeof newWebhookEndpoint>): Promise<IssuedSecret> {
    const { store, mutations } = this;
    const { organizationId } = caller;
    const { description } = body;
    const url = this.readUrl(body.url);
    const eventTypes = readEventTypes(body.event_types);
    return mutations.run(caller, async ({ tx, newId, audit, announce }) => {
      requireRoom(
        await store.lockWebhookEndpointCount(tx, organizationId),
        ENDPOINTS_MAX,
        'webhook endpoints',
        'delete one first',
      );
      const id = newId('webhookEndpoint');
      const { secret, stored } = this.newSecret(id);
      const record = await store.createWebhookEndpoint(tx, {
        id,
        organizationId,
        url,
        description,
        eventTypes,
        ...stored,
      });
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
      const after = await this.store.changeWebhookEndpoint(tx, id, change);
      await audit('webhook_endpoint.update', id, changes, decided(before));
      await announce('webhook.endpoint_updated', announced(after));
      return after;
    });
  }

  /** @throws GatewayError `notFound`. */
  delete(caller: Caller, id: string): Promise<void> {
    return this.locked(caller, id, async (before, { tx, audit, announce }) => {
      await this.store.deleteWebhookEndpoint(tx, id);
      await audit('webhook_endpoint.delete', id, {}, decided(before));
      await announce('webhook.endpoint_deleted', announced(before));
    });
  }

  /** @throws GatewayError `notFound`. */
  rotateSecret(caller: Caller, id: string): Promise<IssuedSecret> {
    return this.locked(caller, id, async (before, { tx, audit, announce }) => {
      const { secret, stored } = this.newSecret(id);
      const record = await this.store.rotateSecret(tx, id, stored);
      // The rotation is visible even where the last four characters are the same.
      const changes = {
        signing_secret: {},
        ...changedFields({ secret_last4: before.secretLast4 }, { secret_last4: record.secretLast4 }),
      };
      await audit('webhook_endpoint.rotate_secret', id, changes, decided(before));
      await announce('webhook.secret_rotated', announced(record));
      return { secret, record };
    });
  }

  /**
   * Sends a `webhook.test`, whatever the endpoint subscribes to and even when it is paused.
   * @throws GatewayError `notFound`, or `invalidRequest` for an event that has no example.
   */
  test(caller: Caller, id: string, body: z.output<typeof webhookTest>): Promise<WebhookDeliveryRecord> {
    const data = testData(id, body.event_type);
    return this.locked(caller, id, async (_, { tx, newId, at, audit }) => {
      await audit('webhook_endpoint.test', id);
      const event = recordEvent(newId('event'), 'webhook.test', caller.organizationId, at.getTime(), data);
      return this.deliveries.queueTest(tx, newId('webhookDelivery'), id, event);
    });
  }

  private locked<T>(
    caller: Caller,
    id: string,
    work: (before: WebhookEndpointRecord, mutation: Mutation) => Promise<T>,
  ): Promise<T> {
    const { store, mutations } = this;
    return mutations.run(caller, async (mutation) =>
      work(known(await store.lockWebhookEndpoint(mutation.tx, caller.organizationId, id)), mutation),
    );
  }

  private changeBy(
    before: WebhookEndpointRecord,
    { url, description, event_types: eventTypes, enabled }: z.output<typeof webhookEndpointChange>,
  ): WebhookEndpointChange {
    return {
      url: url === undefined ? before.url : this.readUrl(url),
      description: description ?? before.description,
      eventTypes: eventTypes === undefined ? before.eventTypes : readEventTypes(eventTypes),
      ...healthAfterChange(before, enabled),
    };
  }

  private readUrl(text: string): string {
    const read = readWebhookUrl(text, this.urlPolicy);
    if ('url' in read) return read.url;
    throw new GatewayError('urlNotAllowed', `url: ${read.problem}.`, { param: 'url' });
  }

  private newSecret(endpointId: string): { readonly secret: string; readonly stored: StoredSigningSecret } {
    const secret = formatSigningSecret(randomBytes(SIGNING_SECRET_ENTROPY_BYTES));
    const sealedSecret = this.sealer.sealAsBefore(Buffer.from(secret), signingSecretContext(endpointId));
    return { secret, stored: { sealedSecret, secretLast4: signingSecretLast4(secret) } };
  }
}

function testData(endpointId: string, eventType: string | undefined): EventData['webhook.test'] {
  if (eventType === undefined) return { endpoint_id: endpointId };
  const example = testedExample(eventType);
  if (example !== null) return { endpoint_id: endpointId, example };
  throw new GatewayError(
    'invalidRequest',
    'event_type: must be the name of an event other than webhook.test. /api/v1/webhook-events lists them.',
    { param: 'event_type' },
  );
}

const audited = (record: WebhookEndpointRecord) => ({
  url: record.url,
  description: record.description,
  event_types: [...record.eventTypes],
  state: record.state,
  consecutive_failures: record.consecutiveFailures,
});

/** The fields of an endpoint that people decide. Deliveries change its count of failures all the time. */
const decided = (record: WebhookEndpointRecord) => {
  const { consecutive_failures: _, ...fields } = audited(record);
  return { ...fields, secret_last4: record.secretLast4 };
};

const announced = (record: WebhookEndpointRecord) => ({
  endpoint_id: record.id,
  url: record.url,
  event_types: [...record.eventTypes],
  secret_last4: record.secretLast4,
  state: record.state,
});
