import { type RouteOrder } from '../policy/policy';
import { isNative } from './native-operation';
import { type PlannedAttempt } from './planned-attempt';
import { type RoutingCall, type RoutingFacts } from './routing-facts';

/** Rankings, each of which decides between attempts that those before it left equal. */
export type RankingName = 'parameters' | 'own_credential' | 'affinity' | RouteOrder | 'native_protocol';

interface Ranking {
  readonly name: RankingName;
  /** A smaller value comes first. */
  valueOf(attempt: PlannedAttempt, call: RoutingCall, facts: RoutingFacts): number | bigint;
}

const leastLost: Ranking = { name: 'parameters', valueOf: ({ losses }) => losses.length };

const ownFirst: Ranking = {
  name: 'own_credential',
  valueOf: ({ credential }) => (credential === 'own' ? 0 : 1),
};

/** The prompt cache of a conversation is at one endpoint, so its other credentials are tried before other endpoints. */
const whereAnsweredLast: Ranking = {
  name: 'affinity',
  valueOf: ({ affinity }) => (affinity === undefined ? 1 : 0),
};

/** A native endpoint needs no translation, so nothing is lost. */
const nativeFirst: Ranking = {
  name: 'native_protocol',
  valueOf: ({ endpoint }, { operation }) => (isNative(endpoint, operation) ? 0 : 1),
};

const price: Ranking = { name: 'price', valueOf: ({ endpoint: { prices } }) => prices.input + prices.output };

/** An unmeasured endpoint comes first, because only a call can measure it. */
const latency: Ranking = {
  name: 'latency',
  valueOf: ({ endpoint }, _, facts) => facts.figuresOf(endpoint).latencyMs ?? -1,
};

const throughput: Ranking = {
  name: 'throughput',
  valueOf: ({ endpoint }, _, facts) => -(facts.figuresOf(endpoint).tokensPerSecond ?? Infinity),
};

/** In the order of evaluation (docs/reference/routing-policy.md#order-of-attempts). Equal attempts keep the catalog's order. */
export const rankings: Readonly<Record<RouteOrder, readonly Ranking[]>> = {
  price: [leastLost, ownFirst, whereAnsweredLast, price, nativeFirst],
  latency: [leastLost, ownFirst, whereAnsweredLast, latency, price, nativeFirst],
  throughput: [leastLost, ownFirst, whereAnsweredLast, throughput, price, nativeFirst],
};
