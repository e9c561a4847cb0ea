export { accessRetention } from './access-retention';
export { CallerStore } from './callers/caller-store';
export { AddressRefusalStore, type RefusedKey } from './keys/address-refusal-store';
export { ApiKeyStore, type ApiKeyDetails, type ApiKeyRecord } from './keys/api-key-store';
export { KeyUseRecorder } from './keys/key-use-recorder';
export { type ApiKeyFilter } from './keys/search-keys';
export { InvitationAcceptance, type InvitationRecord } from './members/invitation-acceptance';
export { InvitationStore, type InvitationFilter, type SentInvitation } from './members/invitation-store';
export { MemberStore, type Headcount, type MemberFilter, type MemberRecord } from './members/member-store';
export { UserStore, type UserRecord } from './members/user-store';
export { AuthorizationCodeStore } from './oauth/authorization-code-store';
export { STANDING_COLUMNS, STANDING_JOINS, type LockedGrant } from './oauth/grant-standing';
export { GrantStore, type GrantFilter, type GrantHolder, type GrantRecord } from './oauth/grant-store';
export { OauthAppStore, type OauthAppRecord, type OauthClientRecord } from './oauth/oauth-app-store';
export { SigningKeyStore, type SigningKeyRecord } from './oauth/signing-key-store';
export { TokenStore } from './oauth/token-store';
export { bootstrap } from './organizations/bootstrap';
export {
  OrganizationStore,
  type OrganizationFilter,
  type OrganizationRecord,
} from './organizations/organization-store';
export {
  ProjectStore,
  type ProjectChange,
  type ProjectFilter,
  type ProjectRecord,
} from './organizations/project-store';
export { OperatorPasswordReset, type IssuedPasswordReset } from './passwords/operator-password-reset';
export { PasswordStore } from './passwords/password-store';
export { newResetLink } from './passwords/reset-link';
export { FailedGuessStore, type GuessCounts } from './sessions/failed-guess-store';
export {
  SESSION_IDLE_MS,
  SessionStore,
  type SessionMembership,
  type SessionRecord,
} from './sessions/session-store';
export { UserSessionStore, type UserSession } from './sessions/user-session-store';
