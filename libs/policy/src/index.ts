export {
  AFFINITY_TTL_MS,
  affinityEntryOf,
  affinityEntryText,
  readAffinityEntry,
  type AffinityEntry,
} from './rules/affinity/affinity-entry';
export { affinityKey } from './rules/affinity/affinity-key';
export { holdsAffinity } from './rules/affinity/affinity-scope';
export { type AnswerHeaders } from './rules/credentials/answer-headers';
export {
  allRestingError,
  chooseCredentials,
  mainCredential,
  type CredentialChoice,
} from './rules/credentials/credential-choice';
export {
  healthAfterRefusal,
  healthAfterSuccess,
  healthAsTold,
  healthSummary,
  type HealthSummary,
  HEALTHY,
  isNews,
  passCredential,
  restAt,
  takesCalls,
  withoutRest,
  type CredentialHealth,
  type Rest,
  type RestKind,
} from './rules/credentials/credential-health';
export { type OrderedCredential } from './rules/credentials/credential-order';
export { headroomBpsAt, headroomIn, type Headroom } from './rules/credentials/headroom';
export { providerWaitMs } from './rules/credentials/provider-wait';
export { effectivePolicy, type EffectiveField, type PolicyFieldName } from './rules/policy/effective-policy';
export { compilePolicy, meetOfKeys, type PolicyTriple } from './rules/policy/meet';
export {
  allowsEndpoint,
  allowsModel,
  allowsOperation,
  type Policy,
  type PolicyRates,
  type RateLimits,
} from './rules/policy/policy';
export { denialText, holdersOf, PolicyRefusal } from './rules/policy/policy-denials';
export {
  DEFAULT_KEY_POLICY_DOCUMENT,
  DEFAULT_POLICY,
  DEFAULT_POLICY_DOCUMENT,
  DEFAULT_PROJECT_POLICY_DOCUMENT,
  keyPolicyDocument,
  policyDocument,
  policyOf,
  projectPolicyDocument,
  readDocumentOf,
  readPolicyDocument,
  readStoredDocument,
  readStoredPolicy,
  storedDocument,
  type DocumentOf,
  type KeyPolicyDocument,
  type PolicyDocument,
  type PolicyFields,
} from './rules/policy/policy-document';
export {
  POLICY_LEVELS,
  type LowerPolicyLevel,
  type OfLevels,
  type PolicyLevel,
} from './rules/policy/policy-level';
export { assignRollouts } from './rules/rollouts/assignment';
export { runningAmong, type Move, type Rollout, type RunningRollout } from './rules/rollouts/rollout';
export { rolloutChanges } from './rules/rollouts/rollout-changes';
export { rolloutFields } from './rules/rollouts/rollout-fields';
export { availableEndpoints, isAvailable, isCallable, modelNotFound } from './rules/routing/availability';
export { takesAnthropicHeaders } from './rules/routing/betas';
export {
  CLOSED_CIRCUIT,
  circuitAfterFailure,
  circuitAfterSuccess,
  isCircuitOpen,
  passCircuit,
  type CircuitState,
} from './rules/routing/circuit';
export {
  classifyFailure,
  errorOfExhaustedPlan,
  retryAfterMsOf,
  type FailureVerdict,
  type UpstreamFailure,
} from './rules/routing/classify-failure';
export { credentialSources, type CredentialSource } from './rules/routing/credential-sources';
export {
  UNMEASURED,
  foldFigures,
  type EndpointFigures,
  type EndpointObservation,
} from './rules/routing/endpoint-figures';
export {
  modelUnavailability,
  unavailability,
  type Exclusion,
  type PolicyNames,
} from './rules/routing/exclusions';
export {
  explainRoute,
  type ExcludedEndpoint,
  type ExplainedAttempt,
  type RouteExplanation,
} from './rules/routing/explain-route';
export { endpointAsTarget, lossesOf, plannedTarget } from './rules/routing/lossy-translation';
export { isNative, isSentAsItIs, serves, upstreamOperation } from './rules/routing/native-operation';
export { movedCall, type MovedCall } from './rules/routing/moved-call';
export { routingCallOf, warningsOf, type CallWarning } from './rules/routing/parameters';
export { modelWithin } from './rules/routing/output-limit';
export { planRoute, type RoutePlan } from './rules/routing/plan-route';
export { offerOf, planServing } from './rules/routing/plan-serving';
export { planTraining } from './rules/routing/plan-training';
export { leavesChoice } from './rules/routing/leaves-choice';
export { type PlannedAttempt } from './rules/routing/planned-attempt';
export {
  plainCall,
  type CredentialPools,
  type OrganizationFacts,
  type RoutingFacts,
} from './rules/routing/routing-facts';
export { catalogWith, tunedModelIn, type TunedModel } from './rules/routing/tuned-model';
