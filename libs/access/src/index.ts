export {
  API_KEY_ENTROPY_BYTES,
  apiKeyHash,
  apiKeyHashText,
  apiKeySecretIn,
  formatApiKeySecret,
  isApiKeySecret,
  visiblePrefix,
  type CredentialHeaders,
} from './rules/api-key/api-key-secret';
export {
  type AccessFacts,
  type AccessTokenReader,
  type CallerDirectory,
  type KnownCallers,
  type Membership,
} from './rules/callers/caller-directory';
export { lifetimesMs } from './rules/lifetimes';
export { accessTokenClaims } from './rules/oauth/access-token-claims';
export {
  clientIdIn,
  readAuthorizationRequest,
  type AuthorizationRequest,
} from './rules/oauth/authorization-request';
export {
  CLIENT_REFUSED,
  isAuthenticClient,
  readClientAuthentication,
  type ClientAuthentication,
} from './rules/oauth/client-authentication';
export { consentedScopes, needsConsent } from './rules/oauth/consent';
export { isGrantUsable, remainingScopes, type GrantFacts } from './rules/oauth/grant-facts';
export { judgeCode, type CodeDecision } from './rules/oauth/judge-code';
export { judgeRefresh, type RefreshDecision } from './rules/oauth/judge-refresh';
export { isCodeVerifier } from './rules/oauth/pkce';
export { isAllowedHomepage, isAllowedRedirectUri, redirectWith } from './rules/oauth/redirect-uri';
export { isCommonPassword } from './rules/passwords/common-password';
export {
  isKeyPermission,
  keyPermissions,
  permissionsOfKey,
  projectKeyPermissions,
} from './rules/permissions/key-permissions';
export {
  isRole,
  permissions,
  rolePermissions,
  roles,
  type Permission,
  type Role,
} from './rules/permissions/permissions';
export { isScope, permissionsOfScopes, scopeTable, scopes, type Scope } from './rules/scopes/scopes';
export {
  SECRET_ENTROPY_BYTES,
  formatSecret,
  isSecret,
  isSecretOfHash,
  secretHash,
  type SecretKind,
} from './rules/secrets/secret';
export { csrfTokenFor, isCsrfTokenOf } from './rules/session/csrf-token';
