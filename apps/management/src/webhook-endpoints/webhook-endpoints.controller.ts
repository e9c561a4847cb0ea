import { Act, Change, Create, Get, List, Remove, Resource, type Call } from '@svc/platform/api';
import { presentWebhookDelivery } from '../webhook-deliveries/present-webhook-delivery';
import { webhookDelivery } from '../webhook-deliveries/webhook-delivery-schema';
import { presentIssuedSecret, presentWebhookEndpoint } from './present-webhook-endpoint';
import {
  ENDPOINTS_MAX,
  issuedSigningSecret,
  newWebhookEndpoint,
  webhookEndpoint,
  webhookEndpointChange,
  webhookEndpointFilters,
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
    'URLs that are told of events, signed: identifiers, usage and state, never prompts or outputs. An event is sent up to ' +
    'six times to each, until it is acknowledged with a 2xx within 10 seconds.',
})
export class WebhookEndpointsController {
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
    summary: 'Makes a webhook endpoint.',
    description: `The answer is the only one that shows its signing secret. There can be ${String(ENDPOINTS_MAX)}.`,
    permission: 'webhook:write',
    scope: null,
    errors: ['urlNotAllowed', 'unknownEventType', 'conflict'],
    body: newWebhookEndpoint,
    answer: issuedSigningSecret,
  })
  async create({ caller, body }: Call<{ body: typeof newWebhookEndpoint }>) {
    const issued = await this.endpoints.create(caller, body);
    return presentIssuedSecret(issued, 'Store this secret now: it is not shown again.');
  }

  @Change(':endpoint_id', {
    summary: 'Changes, pauses or arms a webhook endpoint again.',
    description: 'It holds from the next attempt on, also for what was queued before.',
    permission: 'webhook:write',
    scope: null,
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
      'Nothing is sent to it any more, and what waits for it becomes `dead`. Its deliveries stay readable; they can not be ' +
      'retried.',
    permission: 'webhook:write',
    scope: null,
    ids,
  })
  async delete({ caller, ids }: Call<{ ids: 'endpoint_id' }>) {
    await this.endpoints.delete(caller, ids.endpoint_id);
  }

  @Act(':endpoint_id/test', {
    summary: 'Sends a test.',
    description:
      'Queues a `webhook.test` for this endpoint alone, whatever it subscribes to, and sends it even where the endpoint is ' +
      'paused or disabled. One that fails does not count as a failure of the endpoint.',
    permission: 'webhook:write',
    scope: null,
    operation: 'testWebhookEndpoint',
    ids,
    answer: webhookDelivery,
  })
  async test({ caller, ids }: Call<{ ids: 'endpoint_id' }>) {
    return presentWebhookDelivery(await this.endpoints.test(caller, ids.endpoint_id));
  }

  @Act(':endpoint_id/rotate-secret', {
    summary: 'Gives a webhook endpoint a new signing secret.',
    description:
      'The answer is the only one that shows it. The secret until now signs too for 24 hours; one that was rotated away ' +
      'before it stops at once, so that a delivery never has more than two signatures.',
    permission: 'webhook:write',
    scope: null,
    operation: 'rotateWebhookEndpointSecret',
    ids,
    answer: issuedSigningSecret,
  })
  async rotateSecret({ caller, ids }: Call<{ ids: 'endpoint_id' }>) {
    const issued = await this.endpoints.rotateSecret(caller, ids.endpoint_id);
    return presentIssuedSecret(
      issued,
      'Store this secret now: it is not shown again. The secret until now signs too for 24 hours.',
    );
  }
}
