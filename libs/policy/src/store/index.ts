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
