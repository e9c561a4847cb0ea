import { type ModelEndpoint, modelNamed } from '@svc/catalog';
import { GatewayError } from '@svc/kernel';
import { beyondMaxAttempts, exclusionOf, type ExplanationFacts, type Exclusion } from './exclusions';
import { planRoute } from './plan-route';
import { type PlannedAttempt } from './planned-attempt';
import { rankings, type RankingName } from './rankings';
import { type RoutingCall } from './routing-facts';

export interface ExplainedAttempt extends Omit<PlannedAttempt, 'placedBy'> {
  /**
   * The rollout that moved the attempt, else the ranking that puts it behind the one before it; of the first, the one that puts it
   * before the second. Null for an only attempt.
   */
  readonly placedBy: RankingName | 'rollout' | 'catalog_order' | null;
}

export interface ExcludedEndpoint extends Exclusion {
  readonly endpoint: ModelEndpoint;
}

/** The decision of {@link planRoute}, and why. Each endpoint of the model is in an attempt or excluded. */
export interface RouteExplanation {
  readonly attempts: readonly ExplainedAttempt[];
  /** In the order of the catalog. */
  readonly excluded: readonly ExcludedEndpoint[];
  /** The error of the call; null exactly where there are attempts. */
  readonly refusal: GatewayError | null;
}

/** Asks the planner, and each constraint why it left out what is not planned. For simulations: calls do not pay for it. */
export function explainRoute(call: RoutingCall, facts: ExplanationFacts): RouteExplanation {
  const { attempts, refusal } = planned(call, facts);
  const ids = new Set(attempts.map(({ endpoint }) => endpoint.id));
  const endpoints = modelNamed(facts.catalog, call.modelId)?.endpoints ?? [];
  const left = endpoints.filter(({ id }) => !ids.has(id));
  return {
    attempts: attempts.map((attempt, at) => ({
      ...attempt,
      placedBy: attempt.placedBy ?? placement(attempts, at, call, facts),
    })),
    excluded: left.map((endpoint) => ({
      endpoint,
      ...(exclusionOf(endpoint, call, facts) ?? beyondMaxAttempts(facts)),
    })),
    refusal,
  };
}

function planned(
  call: RoutingCall,
  facts: ExplanationFacts,
): { readonly attempts: readonly PlannedAttempt[]; readonly refusal: GatewayError | null } {
  try {
    return { attempts: planRoute(call, facts).attempts, refusal: null };
  } catch (error) {
    if (error instanceof GatewayError) return { attempts: [], refusal: error };
    throw error;
  }
}

function placement(
  attempts: readonly PlannedAttempt[],
  at: number,
  call: RoutingCall,
  facts: ExplanationFacts,
): ExplainedAttempt['placedBy'] {
  const [first, second] = attempts.slice(Math.max(at - 1, 0));
  if (first === undefined || second === undefined) return null;
  const telling = rankings[facts.policy.sort].find(
    ({ valueOf }) => valueOf(first, call, facts) !== valueOf(second, call, facts),
  );
  return telling?.name ?? 'catalog_order';
}
