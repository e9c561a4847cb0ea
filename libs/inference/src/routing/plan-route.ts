import { GatewayError } from '@svc/kernel';
import { type Loss } from '@svc/protocol';

import { type Catalog, type Model, type ModelEndpoint } from '../catalog/catalog';
import { type RouteOrder } from '../policy/policy';
import { modelNotFound } from './availability';
import { constraints } from './constraints';
import { credentialSources, type CredentialSource } from './credential-sources';
import { nativeOperation, unsupportedBy } from './parameters';
import { type RoutingCall, type RoutingFacts } from './routing-facts';

/** One try at one endpoint. */
export interface PlannedAttempt {
  readonly endpoint: ModelEndpoint;
  readonly credential: CredentialSource;
  /** What of the call the endpoint does not take, and is not sent. */
  readonly omitted: readonly Loss[];
}

/** What to try, in order (contract.md section 5, step 6). */
export interface RoutePlan {
  readonly model: Model;
  readonly attempts: readonly [PlannedAttempt, ...PlannedAttempt[]];
  /** How many of them may be made: some are passed over once it is known why an earlier one failed. */
  readonly attemptsMax: number;
}

/**
 * Plans a call over the eligible endpoints of its model. Those that take all its parameters come first, then those
 * for which the organization has a credential of its own, then as the policy's `sort` wants it, then the cheapest,
 * then those that need no translation, then as the catalog lists them. An endpoint that may be called with two credentials is planned once with each.
 * @throws GatewayError the refusal of the first constraint that left no endpoint
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
  const { sort, maxAttempts } = facts.policy;
  const inOrder = eligible
    .flatMap((endpoint) => attemptsAt(endpoint, call, facts))
    .toSorted(inOrderOf(rankings(sort, call, facts)));
  const attemptsMax = maxAttempts ?? inOrder.length;
  const [first, ...others] = atFirstEndpoints(inOrder, attemptsMax);
  if (first === undefined) throw new GatewayError('internal', 'The call could not be planned.');
  return { model, attempts: [first, ...others], attemptsMax };
}

function attemptsAt(endpoint: ModelEndpoint, call: RoutingCall, facts: RoutingFacts): PlannedAttempt[] {
  const omitted = unsupportedBy(endpoint, call);
  return credentialSources(endpoint.provider, facts).map((credential) => ({ endpoint, credential, omitted }));
}

/** What the call can get to: its hold need not cover the prices of the others. */
function atFirstEndpoints(
  attempts: readonly PlannedAttempt[],
  endpointsMax: number,
): readonly PlannedAttempt[] {
  const ids = [...new Set(attempts.map(({ endpoint: { id } }) => id))];
  const reachable = new Set(ids.slice(0, endpointsMax));
  return attempts.filter(({ endpoint: { id } }) => reachable.has(id));
}

/** The smaller, the earlier. */
type Ranking = (attempt: PlannedAttempt) => number | bigint;

function rankings(sort: RouteOrder, call: RoutingCall, facts: RoutingFacts): readonly Ranking[] {
  return [({ omitted }) => omitted.length, ownFirst, ...bySort[sort](facts), price, nativeFirst(call)];
}

const ownFirst: Ranking = ({ credential }) => (credential === 'own' ? 0 : 1);
/** What passes untouched loses nothing. */
const nativeFirst =
  ({ operation }: RoutingCall): Ranking =>
  ({ endpoint: { provider } }) =>
    nativeOperation[provider.protocol] === operation ? 0 : 1;
const price: Ranking = ({ endpoint: { prices } }) => prices.input + prices.output;

/** What was not measured comes first, because only a call can measure it. */
const bySort: Readonly<Record<RouteOrder, (facts: RoutingFacts) => readonly Ranking[]>> = {
  price: () => [],
  latency: (facts) => [({ endpoint }) => facts.figuresOf(endpoint).latencyMs ?? -1],
  throughput: (facts) => [({ endpoint }) => -(facts.figuresOf(endpoint).tokensPerSecond ?? Infinity)],
};

function inOrderOf(order: readonly Ranking[]): (a: PlannedAttempt, b: PlannedAttempt) => number {
  return (a, b) => {
    for (const rank of order) {
      const [left, right] = [rank(a), rank(b)];
      if (left !== right) return left < right ? -1 : 1;
    }
    return 0;
  };
}
