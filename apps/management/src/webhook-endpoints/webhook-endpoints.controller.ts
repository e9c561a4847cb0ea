import { Act, ActWith, Change, Create, Get, List, Remove, Resource, type Call } from '@svc/api';
import { OrganizationStore } from '@svc/access/store';
import { WebhookDeliveryStore, WebhookEndpointStore } from '@svc/deliveries/store';
import { type Collection } from '../collection';
import { presentWebhookDelivery, webhookDelivery } from '../webhook-deliveries/webhook-delivery-schema';
import {
  ENDPOINTS_MAX,
  issuedSigningSecret,
  newWebhookEndpoint,
  presentIssuedSecret,
  presentWebhookEndpoint,
  webhookEndpoint,
  webhookEndpointChange,
  webhookEndpointFilters,
  webhookTest,
} from './webhook-endpoint-schema';
import { WebhookEndpoints } from './webhook-endpoints';

const ids = { endpoint_id: 'webhookEndpoint' } as const;

@Resource({
  path: 'webhook-endpoints',
  scopedPath: 'webhooks',
  one: 'WebhookEndpoint',
  many: 'WebhookEndpoints',
  tag: 'Webhook endpoints',
  description:
    'URLs that receive signed events: identifiers, usage and state, never prompts or outputs. A delivery is tried up ' +
    'to six times, until the endpoint answers with 2xx within 10 seconds.',
})
class WebhookEndpointsController {
  constructor(private readonly endpoints: WebhookEndpoints) {}

  @List('', {
    summary: 'The webhook endpoints, newest first.',
    permission: 'webhook:write',
    scope: null,
    cursor: 'webhookEndpoint',
    query: webhookEndpointFilters,
    item: webhookEndpoint,
  })
  async list({ caller, page, query }: Call<{ query: typeof webhookEndpointFilters }>) {
    const { items, hasMore } = await this.endpoints.list(caller, page, query);
    return { items: items.map(presentWebhookEndpoint), hasMore };
  }

  @Get(':endpoint_id', {
    summary: 'One webhook endpoint.',
    permission: 'webhook:write',
    scope: null,
    ids,
    answer: webhookEndpoint,
  })
  async get({ caller, ids }: Call<{ ids: 'endpoint_id' }>) {
    return presentWebhookEndpoint(await this.endpoints.get(caller, ids.endpoint_id));
  }

  @Create('', {
    summary: 'Creates a webhook endpoint.',
    description: `Only this answer shows the signing secret. An organization can have ${String(ENDPOINTS_MAX)} endpoints.`,
    permission: 'webhook:write',
    scope: null,
    approval: 'webhook_endpoint.create',
    secretField: 'signing_secret',
    errors: ['urlNotAllowed', 'unknownEventType', 'conflict'],
    body: newWebhookEndpoint,
    answer: issuedSigningSecret,
  })
  async create({ caller, body }: Call<{ body: typeof newWebhookEndpoint }>) {
    const issued = await this.endpoints.create(caller, body);
    return presentIssuedSecret(issued, 'Store this secret now: it is not shown again.');
  }

  @Change(':endpoint_id', {
    summary: 'Changes, pauses or enables a webhook endpoint.',
    description: 'Applies from the next attempt on, also to queued deliveries.',
    permission: 'webhook:write',
    scope: null,
    approval: 'webhook_endpoint.update',
    errors: ['urlNotAllowed', 'unknownEventType'],
    ids,
    body: webhookEndpointChange,
    answer: webhookEndpoint,
  })
  async change({ caller, ids, body }: Call<{ ids: 'endpoint_id'; body: typeof webhookEndpointChange }>) {
    return presentWebhookEndpoint(await this.endpoints.change(caller, ids.endpoint_id, body));
  }

  @Remove(':endpoint_id', {
    summary: 'Deletes a webhook endpoint.',
    description:
      'The endpoint gets nothing more, and its waiting deliveries become `dead`. Deliveries stay readable, but cannot ' +
      'be retried.',
    permission: 'webhook:write',
    scope: null,
    approval: 'webhook_endpoint.delete',
    ids,
  })
  async delete({ caller, ids }: Call<{ ids: 'endpoint_id' }>) {
    await this.endpoints.delete(caller, ids.endpoint_id);
  }

  @ActWith(':endpoint_id/test', {
    summary: 'Sends a test event.',
    description:
      'Queues a `webhook.test` for this endpoint alone, whatever it subscribes to. The test is sent even if the ' +
      'endpoint is paused or disabled. A failed test does not count as a failure of the endpoint. With an `event_type` ' +
      '`data.example` of the test has the `type` and the `data` of that event’s example; the event stays a ' +
      '`webhook.test`.',
    permission: 'webhook:write',
    scope: null,
    operation: 'testWebhookEndpoint',
    ids,
    body: webhookTest,
    answer: webhookDelivery,
  })
  async test({ caller, ids, body }: Call<{ ids: 'endpoint_id'; body: typeof webhookTest }>) {
    return presentWebhookDelivery(await this.endpoints.test(caller, ids.endpoint_id, body));
  }

  @Act(':endpoint_id/rotate-secret', {
    summary: 'Rotates the signing secret of a webhook endpoint.',
    description:
      'Only this answer shows the new secret. The previous secret signs too for 24 hours. An older one stops at once, ' +
      'so a delivery never has more than two signatures.',
    permission: 'webhook:write',
    scope: null,
    approval: 'webhook_endpoint.rotate_secret',
    secretField: 'signing_secret',
    operation: 'rotateWebhookEndpointSecret',
    ids,
    answer: issuedSigningSecret,
  })
  async rotateSecret({ caller, ids }: Call<{ ids: 'endpoint_id' }>) {
    const issued = await this.endpoints.rotateSecret(caller, ids.endpoint_id);
    return presentIssuedSecret(
      issued,
      'Store this secret now: it is not shown again. The previous secret signs too for 24 hours.',
    );
  }
}

export const webhookEndpoints: Collection = {
  controllers: [WebhookEndpointsController],
  services: [WebhookEndpoints],
  stores: [WebhookEndpointStore, WebhookDeliveryStore, OrganizationStore],
};
