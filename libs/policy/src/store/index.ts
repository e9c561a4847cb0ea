export {
  CredentialReportStore,
  platformCredentialName,
  type CredentialReport,
  type ReportedHealth,
} from './credential-report-store';
export { policyRetention } from './policy-retention';
export { LowerPolicyStore, type LowerPolicyRecord, type PolicyOwner } from './lower-policy-store';
export { PolicyStore, type CallPolicy, type CurrentPolicy, type PolicyVersionRecord } from './policy-store';
export {
  ProviderCredentialStore,
  credentialContext,
  type CredentialFilter,
  type CredentialState,
  type ProviderCredential,
  type ProviderCredentialRecord,
  type StoredSecret,
} from './provider-credential-store';
export { type ArmFigures } from './rollout-arms';
export { RolloutJudgement } from './rollout-judgement';
export { endedRolloutData } from './rollout-record';
export { RolloutStore, type MeasuredRollout } from './rollout-store';
