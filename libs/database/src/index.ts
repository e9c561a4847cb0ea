export {
  AuditLog,
  PLATFORM_LOG,
  auditEntries,
  auditInsert,
  type AuditEntry,
  type AuditRecord,
  type Changes,
} from './audit/audit-log';
export { changedFields, initialFields } from './audit/changed-fields';
export { BudgetSpendStore } from './budgets/budget-spend-store';
export { BudgetStore, type BudgetFilter, type BudgetPeriod, type BudgetRecord } from './budgets/budget-store';
export { CallHourStore } from './call-minutes/call-hour-store';
export { CallMinuteStore, type CallMinute } from './call-minutes/call-minute-store';
export { minuteSums } from './call-minutes/minute-sums';
export { MinuteUsage, type CountedTimes } from './call-minutes/minute-usage';
export { CallerStore } from './callers/caller-store';
export { knownCallers } from './callers/known-callers';
export { type Change } from './changes/change';
export { ChangeFeed } from './changes/change-feed';
export { CircuitReportStore, type CircuitReport } from './circuits/circuit-report-store';
export { EdgeFactsStore, type EdgeFacts } from './circuits/edge-facts-store';
export {
  ProviderCredentialStore,
  credentialContext,
  type CredentialFilter,
  type CredentialState,
  type ProviderCredential,
  type ProviderCredentialRecord,
  type StoredSecret,
} from './credentials/provider-credential-store';
export { backoffMs } from './database/backoff';
export { openDatabase, type Database } from './database/database';
export { DUE_NOW } from './database/due-now';
export { explainFailure, failureKind, refusalFor } from './database/failure';
export { LeaseLostError } from './database/lease-lost-error';
export { LeasedWork, type Claim } from './database/leased-work';
export { among, olderThan, pageArguments, sliceOf } from './database/page';
export { inPoolTransaction, type PoolConnection } from './database/pool-transaction';
export { UnitOfWork, prismaOf, type Transaction } from './database/unit-of-work';
export { FailedGuessStore, type GuessCounts } from './guesses/failed-guess-store';
export {
  SCAN_MAX,
  historyPage,
  idRange,
  isAnyOf,
  readHistory,
  type CreatedWithin,
  type HistoryTable,
} from './history/history-page';
export { IdempotencyStore, answerContext, type ClaimRequest } from './idempotency/idempotency-store';
export { ApiKeyStore, type ApiKeyDetails, type ApiKeyRecord } from './keys/api-key-store';
export { KeyUseRecorder } from './keys/key-use-recorder';
export { type ApiKeyFilter } from './keys/search-keys';
export { type CallExplanation } from './ledger/call-explanation';
export { type HoldRequest } from './ledger/hold-request';
export { LedgerStore } from './ledger/ledger-store';
export { type FinalStatus, type Settlement } from './ledger/settlement';
export {
  WalletReading,
  ledgerTransfers,
  touchesWallet,
  walletBalance,
  walletTransactionKinds,
  type WalletBalance,
  type WalletTransaction,
} from './ledger/wallet-reading';
export { BALANCE_MAX, WalletStore, type CreditGrant } from './ledger/wallet-store';
export { MailQueue, type ClaimedMail, type EndedTry } from './mails/mail-queue';
export { InvitationAcceptance, type InvitationRecord } from './members/invitation-acceptance';
export { InvitationStore, type InvitationFilter, type SentInvitation } from './members/invitation-store';
export { MemberStore, type MemberFilter, type MemberRecord } from './members/member-store';
export { UserStore, type UserRecord } from './members/user-store';
export { migrate } from './migrations/migrate';
export { AuthorizationCodeStore } from './oauth/authorization-code-store';
export { STANDING_COLUMNS, STANDING_JOINS, type LockedGrant } from './oauth/grant-standing';
export { GrantStore, type GrantFilter, type GrantHolder, type GrantRecord } from './oauth/grant-store';
export { OauthAppStore, type OauthAppRecord, type OauthClientRecord } from './oauth/oauth-app-store';
export { SigningKeyStore, signingKeyContext, type SigningKeyRecord } from './oauth/signing-key-store';
export { TokenStore } from './oauth/token-store';
export { bootstrap } from './organizations/bootstrap';
export { lockOrganization } from './organizations/lock-organization';
export {
  OrganizationStore,
  type OrganizationChange,
  type OrganizationFilter,
  type OrganizationRecord,
} from './organizations/organization-store';
export {
  ProjectStore,
  type ProjectChange,
  type ProjectFilter,
  type ProjectRecord,
} from './organizations/project-store';
export { Outbox, outboxInsert } from './outbox/outbox';
export { OutboxStore } from './outbox/outbox-store';
export { ParkedMessageStore } from './outbox/parked-message-store';
export { ParkedMessages, type ParkedMessage, type ParkedMessageFilter } from './outbox/parked-messages';
export { OperatorPasswordReset, type IssuedPasswordReset } from './passwords/operator-password-reset';
export { PasswordStore } from './passwords/password-store';
export { newResetLink } from './passwords/reset-link';
export { PolicyStore, type PolicyVersionRecord } from './policy/policy-store';
export { abandonedSettlement } from './recovery/abandoned-settlement';
export { DatabaseHeartbeat } from './recovery/database-heartbeat';
export { EdgeInstanceStore } from './recovery/edge-instance-store';
export {
  COUNTED_MAX,
  InstallationHealth,
  queueNames,
  type InstallationFigures,
} from './recovery/installation-health';
export { RequestRecordStore } from './recovery/request-record-store';
export { RefusalStore, type RefusalBatch, type RefusalCount } from './refusals/refusal-store';
export {
  RefusalSummaries,
  isRefusalGrouping,
  refusalGroupings,
  type RefusalQuery,
  type RefusalRow,
} from './refusals/refusal-summary';
export { RequestHistory, requestRecords, type RequestFilter } from './requests/request-history';
export { RequestMonths } from './requests/request-months';
export { type RequestRecord } from './requests/request-record';
export { Retention } from './retention/retention';
export { RETENTION_RULES } from './retention/retention-rules';
export { type SealedColumn } from './sealing/sealed-column';
export { SealedValues } from './sealing/sealed-values';
export {
  SESSION_IDLE_MS,
  SessionStore,
  type SessionMembership,
  type SessionRecord,
} from './sessions/session-store';
export { UserSessionStore, type UserSession } from './sessions/user-session-store';
export { integrationTables, webhookTables, type DeliveryTables } from './sql-home/delivery-tables';
export { StandingHolds } from './standing-holds/standing-holds';
export { openServiceDatabase } from './start/open-service-database';
export { whenDatabaseAnswers } from './start/when-database-answers';
export { MoneyFigures } from './usage/money-figures';
export {
  isTimeGrouping,
  isUsageGrouping,
  usageGroupings,
  type UsageGroup,
  type UsageQuery,
} from './usage/usage-query';
export { countsIn, type UsageCounts, type UsageRow } from './usage/usage-row';
export { UsageStore } from './usage/usage-store';
