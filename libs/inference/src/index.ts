export {
  modelNamed,
  type Catalog,
  type FineTuningOffer,
  type Model,
  type ModelEndpoint,
  type Provider,
  type ProviderProtocol,
} from './catalog/catalog';
export { type CatalogEnvironment } from './catalog/fill-variables';
export { CatalogError } from './catalog/catalog-source';
export { parseCatalog, parseCatalogFiles } from './catalog/parse-catalog';
export {
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_RETENTION_MS,
  idempotencyKeyIn,
} from './idempotency/idempotency-key';
export { callInProgress, refusalByClaim, type ExistingClaim } from './idempotency/judge-claim';
export { costOf } from './pricing/cost-of';
export { explainCost, storedRates } from './pricing/explain-cost';
export {
  nanosPerToken,
  pricePerToken,
  type PricePerToken,
  type Prices,
  type TokenRates,
} from './pricing/prices';
export { budgetPeriodKey, isInScope, type Budget } from './budget/budget';
export {
  evaluateBudgets,
  holdRefusedError,
  type BudgetUsage,
  type HoldDecision,
} from './budget/evaluate-budgets';
export {
  holdFor,
  outputLimitCoveredBy,
  promptTokenBound,
  reservedCharge,
  type HoldFacts,
  type HoldRange,
} from './wallet/hold';
export { estimatedPromptTokens, promptWindow } from './tokens/prompt-tokens';
export { countedPromptBound, type PromptCount } from './tokens/counted-prompt-bound';
export { percentileOf, TIME_BOUNDS, timeBound, timeBoundsMs } from './latency/histogram';
export { DROPS_PER_UNIT, type Bucket, type BucketDemand, type BucketState } from './rate-limit/bucket';
export { admit, giveBack, rateLimitError, refuseOversizedDemand, type Admission } from './rate-limit/admit';
export { estimateTokens } from './rate-limit/estimate-tokens';
export { limitHeaders } from './rate-limit/limit-headers';
export { bucketsFor, ORGANIZATION_RATE_LIMIT, type RateLimit } from './rate-limit/limits';
export { allowsEndpoint, allowsModel, type Policy, type RouteOrder } from './policy/policy';
export {
  DEFAULT_POLICY,
  DEFAULT_POLICY_DOCUMENT,
  policyDocument,
  policyOf,
  readPolicyDocument,
  readStoredPolicy,
  type PolicyDocument,
} from './policy/policy-document';
export { isAvailable, modelNotFound } from './routing/availability';
export { credentialSources, type CredentialSource } from './routing/credential-sources';
export {
  foldFigures,
  UNMEASURED,
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
export { takesAnthropicHeaders } from './routing/betas';
export { isNative, isSentAsItIs, serves, upstreamOperation } from './routing/native-operation';
export { routingCallOf, warningsOf, type CallWarning } from './routing/parameters';
export { planRoute, type RoutePlan } from './routing/plan-route';
export { type PlannedAttempt } from './routing/planned-attempt';
export {
  plainCall,
  type OrganizationFacts,
  type RoutingCall,
  type RoutingFacts,
} from './routing/routing-facts';
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
export {
  eventOfUpdate,
  INCIDENT_COMPONENTS,
  INCIDENT_SEVERITIES,
  INCIDENT_STATES,
  requireScope,
  standingAfter,
  type IncidentAudience,
  type IncidentComponent,
  type IncidentSeverity,
  type IncidentSource,
  type IncidentStanding,
  type IncidentState,
} from './incidents/incident';
export {
  judgeCircuits,
  type EndpointCircuit,
  type IncidentSubject,
  type OpenSubject,
} from './incidents/judge-circuits';
export {
  AUTOMATIC_REOPENED_WITHIN_MS,
  decideAutomaticIncidents,
  type AutomaticIncident,
  type AutomaticStep,
} from './incidents/automatic-incidents';
export { reliesOn } from './incidents/relies-on';
export { planTraining } from './routing/plan-training';
export { offerOf, planServing } from './routing/plan-serving';
export { catalogWith, tunedModelIn, type TunedModel } from './routing/tuned-model';
