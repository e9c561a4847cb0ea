export { refusalFor } from './database/failure';
export {
  AuditLog,
  type AuditEntry,
  type AuditFilter,
  type AuditRecord,
  type Changes,
} from './audit/audit-log';
export { changedFields, initialFields } from './audit/changed-fields';
export { Mutations, type ChangeAuthor, type Mutation } from './audit/mutations';
export { BudgetSpendStore } from './budgets/budget-spend-store';
export {
  BudgetStore,
  type BudgetChange,
  type BudgetFilter,
  type BudgetRecord,
  type NewBudget,
} from './budgets/budget-store';
export { CallerStore } from './callers/caller-store';
export { knownCallers, type KnownCallersOptions } from './callers/known-callers';
export { type Change } from './changes/change';
export { ChangeFeed, type ChangeFeedOptions } from './changes/change-feed';
export {
  credentialContext,
  ProviderCredentialStore,
  type CredentialFilter,
  type CredentialState,
  type NewProviderCredential,
  type ProviderCredential,
  type ProviderCredentialRecord,
  type StoredSecret,
} from './credentials/provider-credential-store';
export { openDatabase, type Database, type DatabaseOptions } from './database/database';
export { UnitOfWork, type Transaction } from './database/unit-of-work';
export {
  answerContext,
  type ClaimRequest,
  IdempotencyStore,
  type StoredClaim,
} from './idempotency/idempotency-store';
export {
  ApiKeyStore,
  type ApiKeyChange,
  type ApiKeyDetails,
  type ApiKeyFilter,
  type ApiKeyRecord,
  type ApiKeyState,
  type NewApiKey,
} from './keys/api-key-store';
export { KeyUseRecorder, type KeyUseRecorderOptions } from './keys/key-use-recorder';
export { type HoldRequest } from './ledger/hold-request';
export { LedgerStore } from './ledger/ledger-store';
export { type FinalStatus, type Settlement } from './ledger/settlement';
export { WalletReading, type WalletBalance, type WalletTransaction } from './ledger/wallet-reading';
export { WalletStore, type CreditGrant } from './ledger/wallet-store';
export { InvitationAcceptance, type Admission, type InvitationRecord } from './members/invitation-acceptance';
export {
  InvitationStore,
  type InvitationFilter,
  type InvitationState,
  type NewInvitation,
  type SentInvitation,
} from './members/invitation-store';
export { MemberStore, type MemberFilter, type MemberRecord, type MemberState } from './members/member-store';
export { UserStore, type UserRecord } from './members/user-store';
export { migrate } from './migrations/migrate';
export {
  AuthorizationCodeStore,
  type LockedCode,
  type NewAuthorizationCode,
} from './oauth/authorization-code-store';
export { type LockedGrant } from './oauth/grant-standing';
export {
  GrantStore,
  type Consent,
  type GrantFilter,
  type GrantHolder,
  type GrantParties,
  type GrantRecord,
} from './oauth/grant-store';
export {
  OauthAppStore,
  type NewOauthApp,
  type OauthAppChange,
  type OauthAppRecord,
  type OauthClientRecord,
} from './oauth/oauth-app-store';
export { SigningKeyStore, type SigningKeyRecord } from './oauth/signing-key-store';
export {
  TokenStore,
  type AccessTokenRecord,
  type LockedRefreshToken,
  type NewTokenPair,
} from './oauth/token-store';
export { bootstrap, type BootstrapInput, type BootstrapResult } from './organizations/bootstrap';
export {
  OrganizationStore,
  type OrganizationChange,
  type OrganizationRecord,
  type OrganizationState,
} from './organizations/organization-store';
export {
  ProjectStore,
  type ProjectChange,
  type ProjectRecord,
  type ProjectState,
} from './organizations/project-store';
export { Outbox } from './outbox/outbox';
export { ParkedMessageStore } from './outbox/parked-message-store';
export { OutboxStore, type OutboxRecord } from './outbox/outbox-store';
export {
  PolicyStore,
  type CurrentPolicy,
  type NewPolicyVersion,
  type PolicyVersionRecord,
} from './policy/policy-store';
export { EdgeInstanceStore } from './recovery/edge-instance-store';
export { RequestRecordStore, type AbandonedCall } from './recovery/request-record-store';
export { RequestHistory, type RequestFilter } from './requests/request-history';
export { RequestMonths } from './requests/request-months';
export { type RequestRecord } from './requests/request-record';
export { requireMasterKey } from './sealing/require-master-key';
export { SealedValues, type ResealingPass, type UnopenedValue } from './sealing/sealed-values';
export {
  SESSION_IDLE_MS,
  SessionStore,
  type NewSession,
  type SessionMembership,
  type SessionRecord,
} from './sessions/session-store';
export {
  isUsageGrouping,
  usageGroupings,
  UsageStore,
  type UsageCounts,
  type UsageQuery,
  type UsageRow,
} from './usage/usage-store';
export {
  BULK_RETRY_MAX,
  WebhookDeliveryStore,
  type BulkRetry,
  type DeliveryAttemptRecord,
  type DeliveryFilter,
  type DeliveryToRetry,
  type WebhookDeliveryRecord,
} from './webhooks/delivery-store';
export {
  signingSecretContext,
  WebhookEndpointStore,
  type NewWebhookEndpoint,
  type StoredSigningSecret,
  type WebhookEndpointChange,
  type WebhookEndpointFilter,
  type WebhookEndpointRecord,
} from './webhooks/endpoint-store';
export { DeliveryIntake, type DeliverableEvent, type SubscribedEndpoint } from './webhooks/delivery-intake';
export { DeliveryRetention } from './webhooks/delivery-retention';
export {
  DeliverySchedule,
  type ClaimedDelivery,
  type DeliveryLag,
  type DeliveryScheduleOptions,
  type LeasedDelivery,
} from './webhooks/delivery-schedule';
export {
  DeliverySettlement,
  type DeliverySettlementOptions,
  type EndedAttempt,
  type SettledDelivery,
} from './webhooks/delivery-settlement';
