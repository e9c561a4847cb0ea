export { budgetPeriodKey, isInScope, type Budget } from './budget/budget';
export { evaluateBudgets, holdRefusedError, type HoldDecision } from './budget/evaluate-budgets';
export {
  modelNamed,
  type Catalog,
  type FineTuningOffer,
  type Model,
  type ModelEndpoint,
  type Provider,
  type ProviderProtocol,
} from './catalog/catalog';
export { parseCatalog, parseCatalogFiles } from './catalog/parse-catalog';
export { IDEMPOTENCY_RETENTION_MS, idempotencyKeyIn } from './idempotency/idempotency-key';
export { callInProgress, refusalByClaim, type ExistingClaim } from './idempotency/judge-claim';
export { TIME_BOUNDS, percentileOf, timeBound, timeBoundsMs } from './latency/histogram';
export { allowsEndpoint, allowsModel, type Policy } from './policy/policy';
export {
  DEFAULT_POLICY,
  DEFAULT_POLICY_DOCUMENT,
  policyDocument,
  policyOf,
  readPolicyDocument,
  readStoredPolicy,
  type PolicyDocument,
} from './policy/policy-document';
export { costOf } from './pricing/cost-of';
export { explainCost, storedRates } from './pricing/explain-cost';
export {
  nanosPerToken,
  pricePerToken,
  type PricePerToken,
  type Prices,
  type TokenRates,
} from './pricing/prices';
export { admit, giveBack, rateLimitError, refuseOversizedDemand, type Admission } from './rate-limit/admit';
export { DROPS_PER_UNIT, type Bucket, type BucketDemand, type BucketState } from './rate-limit/bucket';
export { estimateTokens } from './rate-limit/estimate-tokens';
export { limitHeaders } from './rate-limit/limit-headers';
export { ORGANIZATION_RATE_LIMIT, bucketsFor } from './rate-limit/limits';
export { availableEndpoints, isAvailable, modelNotFound } from './routing/availability';
export { takesAnthropicHeaders } from './routing/betas';
export {
  CLOSED_CIRCUIT,
  circuitAfterFailure,
  circuitAfterSuccess,
  isCircuitOpen,
  passCircuit,
  type CircuitState,
} from './routing/circuit';
export {
  classifyFailure,
  errorOfExhaustedPlan,
  retryAfterMsOf,
  type FailureVerdict,
  type UpstreamFailure,
} from './routing/classify-failure';
export { credentialSources, type CredentialSource } from './routing/credential-sources';
export {
  UNMEASURED,
  foldFigures,
  type EndpointFigures,
  type EndpointObservation,
} from './routing/endpoint-figures';
export { modelUnavailability, unavailability, type Exclusion } from './routing/exclusions';
export {
  explainRoute,
  type ExcludedEndpoint,
  type ExplainedAttempt,
  type RouteExplanation,
} from './routing/explain-route';
export { endpointAsTarget, lossesOf, plannedTarget } from './routing/lossy-translation';
export { isNative, isSentAsItIs, serves, upstreamOperation } from './routing/native-operation';
export { routingCallOf, warningsOf, type CallWarning } from './routing/parameters';
export { planRoute, type RoutePlan } from './routing/plan-route';
export { offerOf, planServing } from './routing/plan-serving';
export { planTraining } from './routing/plan-training';
export { type PlannedAttempt } from './routing/planned-attempt';
export { plainCall, type OrganizationFacts, type RoutingFacts } from './routing/routing-facts';
export { catalogWith, tunedModelIn, type TunedModel } from './routing/tuned-model';
export { countedPromptBound, type PromptCount } from './tokens/counted-prompt-bound';
export { estimatedPromptTokens, promptWindow } from './tokens/prompt-tokens';
export {
  holdFor,
  outputLimitCoveredBy,
  promptTokenBound,
  type HoldFacts,
  type HoldRange,
} from './wallet/hold';
