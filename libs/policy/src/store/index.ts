export { PolicyStore, type PolicyVersionRecord } from './policy-store';
export {
  ProviderCredentialStore,
  credentialContext,
  type CredentialFilter,
  type CredentialState,
  type ProviderCredential,
  type ProviderCredentialRecord,
  type StoredSecret,
} from './provider-credential-store';
