import { Act, Change, Create, Get, List, Remove, Resource, type Call } from '@svc/api';
import { RUNNING_ENDPOINTS_MAX } from '@svc/fine-tuning';
import { EndpointStore } from '@svc/fine-tuning/store';
import { type Collection } from '../collection';
import { EndpointPlans } from './endpoint-plans';
import { FineTuningEndpoints } from './endpoints';
import { ShownEndpoints } from './shown-endpoints';
import {
  endpointChange,
  endpointFilters,
  fineTuningEndpoint,
  newEndpoint,
  presentEndpoint,
  startHeaders,
} from './endpoint-schema';

const ids = { fine_tuning_endpoint_id: 'fineTuningEndpoint' } as const;
interface Ids {
  readonly ids: 'fine_tuning_endpoint_id';
}

@Resource({
  path: 'fine-tuning/endpoints',
  one: 'FineTuningEndpoint',
  many: 'FineTuningEndpoints',
  tag: 'Fine-tuning',
  description:
    'Machines of a provider that serve a fine-tuned model. They cost by the second while they run.',
})
class FineTuningEndpointsController {
  constructor(private readonly endpoints: FineTuningEndpoints) {}

  @List('', {
    summary: 'The endpoints, newest first.',
    description: 'A project’s key sees those that keys of its project made.',
    permission: 'fine_tuning:read',
    scope: null,
    cursor: 'fineTuningEndpoint',
    query: endpointFilters,
    item: fineTuningEndpoint,
  })
  async list({ caller, page, query }: Call<{ query: typeof endpointFilters }>) {
    const { items, hasMore } = await this.endpoints.list(caller, page, query);
    return { items: items.map(presentEndpoint), hasMore };
  }

  @Get(':fine_tuning_endpoint_id', {
    summary: 'One endpoint, with its money.',
    permission: 'fine_tuning:read',
    scope: null,
    ids,
    answer: fineTuningEndpoint,
  })
  async get({ caller, ids: { fine_tuning_endpoint_id: endpointId } }: Call<Ids>) {
    return presentEndpoint(await this.endpoints.get(caller, endpointId));
  }

  @Create('', {
    summary: 'Makes an endpoint for a fine-tuned model.',
    description: 'It is `stopped`, and costs nothing until it is started. A model has one endpoint at most.',
    permission: 'fine_tuning:write',
    scope: null,
    approval: 'fine_tuning_endpoint.create',
    errors: ['notFound', 'conflict', 'noEligibleRoute'],
    body: newEndpoint,
    answer: fineTuningEndpoint,
  })
  async create({ caller, body }: Call<{ body: typeof newEndpoint }>) {
    return presentEndpoint(await this.endpoints.create(caller, body));
  }

  @Change(':fine_tuning_endpoint_id', {
    summary: 'Changes when an endpoint stops.',
    description: 'The change holds for a run that is under way too.',
    permission: 'fine_tuning:write',
    scope: null,
    approval: 'fine_tuning_endpoint.update',
    ids,
    body: endpointChange,
    answer: fineTuningEndpoint,
  })
  async update({
    caller,
    ids: { fine_tuning_endpoint_id: endpointId },
    body,
  }: Call<Ids & { body: typeof endpointChange }>) {
    return presentEndpoint(await this.endpoints.update(caller, endpointId, body));
  }

  @Act(':fine_tuning_endpoint_id/start', {
    summary: 'Starts an endpoint.',
    description:
      'The first slice of its time is held in the wallet. It is `running` once the provider serves the model: from then on its ' +
      `seconds are charged. ${String(RUNNING_ENDPOINTS_MAX)} endpoints of an organization run at a time, unless the operator allows more.`,
    permission: 'fine_tuning:write',
    scope: null,
    approval: 'fine_tuning_endpoint.start',
    headers: startHeaders,
    errors: ['insufficientFunds', 'budgetExceeded', 'conflict', 'idempotencyKeyReused', 'noEligibleRoute'],
    ids,
    answer: fineTuningEndpoint,
  })
  async start({
    caller,
    ids: { fine_tuning_endpoint_id: endpointId },
    headers,
  }: Call<Ids & { headers: typeof startHeaders }>) {
    return presentEndpoint(
      await this.endpoints.start(caller, endpointId, headers['Idempotency-Key'] ?? null),
    );
  }

  @Act(':fine_tuning_endpoint_id/stop', {
    summary: 'Stops an endpoint.',
    description:
      'No call is sent there any more, and nothing is charged from now on. Calls in flight have 60 seconds. It is `stopped` once the ' +
      'provider confirms it.',
    permission: 'fine_tuning:write',
    scope: null,
    errors: ['conflict'],
    ids,
    answer: fineTuningEndpoint,
  })
  async stop({ caller, ids: { fine_tuning_endpoint_id: endpointId } }: Call<Ids>) {
    return presentEndpoint(await this.endpoints.stop(caller, endpointId));
  }

  @Remove(':fine_tuning_endpoint_id', {
    summary: 'Deletes an endpoint that is stopped or has failed.',
    permission: 'fine_tuning:write',
    scope: null,
    errors: ['conflict'],
    ids,
  })
  async remove({ caller, ids: { fine_tuning_endpoint_id: endpointId } }: Call<Ids>) {
    await this.endpoints.remove(caller, endpointId);
  }
}

export const fineTuningEndpoints: Collection = {
  controllers: [FineTuningEndpointsController],
  services: [EndpointPlans, FineTuningEndpoints, ShownEndpoints],
  stores: [EndpointStore],
};
