import { GatewayError } from '@svc/kernel';

import { type Catalog, type Model, type ModelEndpoint } from '../catalog/catalog';
import { constraints, modelNotFound, type RoutingCall, type RoutingFacts } from './constraints';

/** The endpoints to try, in order (contract.md section 5, step 6). */
export interface RoutePlan {
  readonly model: Model;
  readonly attempts: readonly [ModelEndpoint, ...ModelEndpoint[]];
}

/**
 * Plans a call: every eligible endpoint of the model, the cheapest first, then as listed in the catalog.
 * @throws GatewayError `notFound`, `operationUnsupported` or `overloaded`: the refusal of the constraint that left no endpoint
 */
export function planRoute(call: RoutingCall, facts: RoutingFacts & { readonly catalog: Catalog }): RoutePlan {
  const model = facts.catalog.models.get(call.modelId);
  if (model === undefined) throw modelNotFound(call);
  let eligible = model.endpoints;
  for (const { admits, refusal } of constraints) {
    const left = eligible.filter((endpoint) => admits(endpoint, call, facts));
    if (left.length === 0) throw refusal(call, eligible);
    eligible = left;
  }
  const [first, ...others] = eligible.toSorted(byPrice);
  if (first === undefined) throw new GatewayError('internal', 'The call could not be planned.');
  return { model, attempts: [first, ...others] };
}

function byPrice(a: ModelEndpoint, b: ModelEndpoint): number {
  return Number(priceOf(a) - priceOf(b));
}

const priceOf = ({ prices }: ModelEndpoint): bigint => prices.input + prices.output;
