import { type Model, type ModelEndpoint, modelNamed } from '@svc/catalog';
import { GatewayError } from '@svc/kernel';
import { holdsAffinity } from '../affinity/affinity-scope';
import { allRestingError, firstDue } from '../credentials/credential-choice';
import { type Rest } from '../credentials/credential-health';
import { modelNotFound } from './availability';
import { endpointAsAsked, modelAsAsked } from './betas';
import { constraints } from './constraints';
import { credentialSources } from './credential-sources';
import { foreignReference, leftOutAt } from './left-out';
import { movedToFront } from './moved-attempts';
import { modelWithin, outputLimitWarnings } from './output-limit';
import { type CallWarning } from './parameters';
import { type PlannedAttempt } from './planned-attempt';
import { rankings } from './rankings';
import { type PlanningFacts, type RoutingCall, type RoutingFacts } from './routing-facts';
import { requireServed } from './tuned-model';

/** The attempts in order (docs/reference/routing-policy.md#order-of-attempts). */
export interface RoutePlan {
  /** With the context window of the call's betas, and the policy's output limit. */
  readonly model: Model;
  readonly attempts: readonly [PlannedAttempt, ...PlannedAttempt[]];
  /** How many attempts may be made. Some are skipped, depending on how an earlier one failed. */
  readonly attemptsMax: number;
  /** True where the policy limits the output below the model's own maximum: then a provider is always sent a limit. */
  readonly isOutputLimited: boolean;
  /** Changes of the call by the policy, for the caller. */
  readonly warnings: readonly CallWarning[];
}

/**
 * Plans a call over the eligible endpoints of its model. They are sorted by the number of unsupported parameters, by
 * own credentials first, by where the conversation was answered last, by the policy's `sort`, by price, by endpoints
 * without translation first, and by the order of the catalog. A rollout that takes the call moves those of its target to
 * the front. An endpoint with several possible credentials is planned once with each, at most three of one owner.
 * @throws GatewayError the refusal of the first constraint that left no endpoint; `capabilityUnsupported` for a strict call
 * that asks for more output than the policy allows; `providerRateLimit` or `providerError` where every credential rests
 */
export function planRoute(call: RoutingCall, facts: PlanningFacts): RoutePlan {
  const model = modelNamed(facts.catalog, call.modelId);
  if (model === undefined) throw modelNotFound(call);
  const found: FoundAttempts = { planned: [], resting: null };
  for (const endpoint of model.endpoints) {
    if (isEligible(endpoint, call, facts)) planAt(endpoint, found, call, facts);
  }
  const { planned, resting } = found;
  if (planned.length === 0 && resting !== null) planned.push(dueAmong(resting, facts));
  if (planned.length === 0) refuse(model, call, facts);
  if (planned.length > 1) planned.sort(inOrderOf(call, facts));
  const attemptsMax = facts.policy.maxAttempts ?? planned.length;
  // Before the limit: it must not cut off where the call is moved.
  const ordered = facts.move === undefined ? planned : movedToFront(planned, facts.move);
  const attempts = atFirstEndpoints(ordered, attemptsMax);
  if (!hasFirst(attempts)) throw new GatewayError('internal', 'The call could not be planned.');
  const asked = modelAsAsked(model, planned, call);
  const limited = modelWithin(asked, facts.policy);
  return {
    model: limited,
    attempts,
    attemptsMax,
    isOutputLimited: limited !== asked,
    warnings: limited === asked ? NO_WARNINGS : outputLimitWarnings(call, limited, facts.policy),
  };
}

const NO_WARNINGS: readonly CallWarning[] = [];

function isEligible(endpoint: ModelEndpoint, call: RoutingCall, facts: PlanningFacts): boolean {
  // By its place: neither a function nor an iterator is made for each endpoint of each call.
  let at = 0;
  while (constraints[at]?.admits(endpoint, call, facts) === true) at++;
  return at === constraints.length;
}

/** @throws GatewayError the refusal of the first constraint that left no endpoint */
function refuse(model: Model, call: RoutingCall, facts: PlanningFacts): void {
  requireServed(model, facts);
  let candidates = model.endpoints;
  for (const { admits, refusal } of constraints) {
    const left = candidates.filter((endpoint) => admits(endpoint, call, facts));
    if (left.length === 0) throw refusal(call, candidates, facts);
    candidates = left;
  }
}

interface FoundAttempts {
  readonly planned: PlannedAttempt[];
  /** Null for none, as nearly always. */
  resting: RestingAttempt[] | null;
}

/** An attempt that is left out, because its credential rests. */
interface RestingAttempt {
  readonly attempt: PlannedAttempt;
  readonly rest: Rest;
}

/** The key of the credential that comes first at the endpoint; undefined where the conversation was not answered last. */
function preferredAt(endpoint: ModelEndpoint, { affinity, policy }: RoutingFacts): string | undefined {
  const isThere = affinity?.endpointId === endpoint.id && holdsAffinity(policy, endpoint);
  return isThere ? affinity.credential : undefined;
}

type Place = Pick<PlannedAttempt, 'affinity'>;
const PINNED: Place = { affinity: 'pinned' };
const BESIDE: Place = { affinity: 'beside' };
const ELSEWHERE: Place = {};

function planAt(listed: ModelEndpoint, found: FoundAttempts, call: RoutingCall, facts: RoutingFacts): void {
  const endpoint = endpointAsAsked(listed, call);
  const isOwnOnly = foreignReference(listed, call) !== null;
  const leftOutWith = leftOutAt(listed, call, facts.policy);
  const preferred = preferredAt(listed, facts);
  for (const credential of credentialSources(endpoint, facts)) {
    if (isOwnOnly && credential !== 'own') continue;
    const leftOut = leftOutWith(credential);
    if (call.compatMode === 'strict' && leftOut.losses.length > 0) continue;
    if (facts.credentials === undefined || credential === 'none') {
      found.planned.push({ endpoint, credential, ...leftOut, ...(preferred === '' ? PINNED : ELSEWHERE) });
      continue;
    }
    const choice = facts.credentials.choose(endpoint, credential, preferred);
    const { tried } = choice;
    const isPinned = preferred !== undefined && tried[0]?.key === preferred;
    // Nearly always one, and none that rests: no iterator is made for them.
    for (let at = 0, pooled = tried[0]; pooled !== undefined; pooled = tried[++at]) {
      const place = isPinned ? (at === 0 ? PINNED : BESIDE) : ELSEWHERE;
      found.planned.push({ endpoint, credential, pooled, ...leftOut, ...place });
    }
    if (choice.resting.length === 0) continue;
    found.resting ??= [];
    for (const { credential: pooled, rest } of choice.resting) {
      found.resting.push({ attempt: { endpoint, credential, pooled, ...leftOut }, rest });
    }
  }
}

/**
 * The attempt of the credential that is due first, where all are refused.
 * @throws GatewayError where one of them cools
 */
function dueAmong(resting: readonly RestingAttempt[], { credentials }: RoutingFacts): PlannedAttempt {
  const due = firstDue(resting);
  if (due !== undefined) return { ...due.attempt, isForced: true };
  throw allRestingError(
    resting.map(({ rest }) => rest),
    credentials?.now() ?? 0,
  );
}

/** The attempts that the call can reach. Its hold need not cover the prices of the others. */
function atFirstEndpoints(
  attempts: readonly PlannedAttempt[],
  endpointsMax: number,
): readonly PlannedAttempt[] {
  if (attempts.length <= endpointsMax) return attempts;
  const ids = [...new Set(attempts.map(({ endpoint: { id } }) => id))];
  const reachable = new Set(ids.slice(0, endpointsMax));
  return attempts.filter(({ endpoint: { id } }) => reachable.has(id));
}

const hasFirst = (
  attempts: readonly PlannedAttempt[],
): attempts is readonly [PlannedAttempt, ...PlannedAttempt[]] => attempts.length > 0;

function inOrderOf(call: RoutingCall, facts: RoutingFacts): (a: PlannedAttempt, b: PlannedAttempt) => number {
  const order = rankings[facts.policy.sort];
  return (a, b) => {
    for (const ranking of order) {
      const left = ranking.valueOf(a, call, facts);
      const right = ranking.valueOf(b, call, facts);
      if (left !== right) return left < right ? -1 : 1;
    }
    return 0;
  };
}
