export { isCommonPassword } from './passwords/common-password';
export {
  API_KEY_ENTROPY_BYTES,
  apiKeyHash,
  apiKeyHashText,
  apiKeySecretIn,
  formatApiKeySecret,
  isApiKeySecret,
  visiblePrefix,
  type CredentialHeaders,
} from './api-key/api-key-secret';
export {
  type AccessFacts,
  type AccessTokenReader,
  type CallerDirectory,
  type KeyFacts,
  type KnownCallers,
  type SessionFacts,
} from './callers/caller-directory';
export { lifetimesMs } from './lifetimes';
export { accessTokenClaims, type AccessTokenClaims } from './oauth/access-token-claims';
export {
  clientIdIn,
  readAuthorizationRequest,
  type AuthorizationRequest,
  type AuthorizingApp,
} from './oauth/authorization-request';
export {
  CLIENT_REFUSED,
  isAuthenticClient,
  readClientAuthentication,
  type ClientAuthentication,
} from './oauth/client-authentication';
export { consentedScopes, needsConsent, scopesAfterConsent } from './oauth/consent';
export { isGrantUsable, remainingScopes, type GrantFacts } from './oauth/grant-facts';
export { judgeAccess, type AccessDecision, type StoredAccessToken } from './oauth/judge-access';
export { judgeCode, type CodeDecision, type CodeFacts } from './oauth/judge-code';
export { judgeRefresh, type RefreshDecision, type RefreshFacts } from './oauth/judge-refresh';
export { type AuthorizationErrorCode } from './oauth/oauth-error';
export { isCodeChallenge, isCodeVerifier, verifyPkce } from './oauth/pkce';
export { isAllowedHomepage, isAllowedRedirectUri, redirectWith } from './oauth/redirect-uri';
export {
  isKeyPermission,
  keyPermissions,
  permissionsOfKey,
  projectKeyPermissions,
} from './permissions/key-permissions';
export {
  isPermission,
  isRole,
  permissions,
  rolePermissions,
  roles,
  type Permission,
  type Role,
} from './permissions/permissions';
export {
  isScope,
  narrowScopes,
  permissionsOfScopes,
  readScopes,
  scopes,
  scopeTable,
  type Scope,
} from './scopes/scopes';
export {
  formatSecret,
  isSecret,
  isSecretOfHash,
  SECRET_ENTROPY_BYTES,
  secretHash,
  type SecretKind,
} from './secrets/secret';
export { csrfTokenFor, isCsrfTokenOf } from './session/csrf-token';
