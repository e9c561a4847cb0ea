export { AlertEvaluation } from './alerts/alert-evaluation';
export { notificationsOf, type NotificationRecord } from './alerts/alert-notifications';
export { type AlertRuleRecord, type AlertRuleSettings } from './alerts/alert-rule-record';
export { AlertRuleStore, type AlertRuleBreak, type AlertRuleFilter } from './alerts/alert-rule-store';
export { AlertStore, type AlertRecord } from './alerts/alert-store';
export {
  ApprovalPolicyStore,
  type ApprovalPolicyRecord,
  type ApprovalPolicySettings,
} from './approvals/approval-policy-store';
export {
  approvedAnswerContext,
  approvedCallContext,
  type ApprovalRequestRecord,
} from './approvals/approval-request-record';
export { ApprovalRequestStore, type ApprovalRequestFilter } from './approvals/approval-request-store';
export { ApprovalUpkeep } from './approvals/approval-upkeep';
export { approvedCallQueue } from './approvals/approved-call-queue';
export { queueMails } from './approvals/queue-mails';
export { AuditLog, PLATFORM_LOG, type AuditEntry, type AuditRecord, type Changes } from './audit/audit-log';
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
export { openDatabase, type Database } from './database/database';
export { explainFailure, refusalFor } from './database/failure';
export { LeaseLostError } from './database/lease-lost-error';
export { LeasedWork, type Claim } from './database/leased-work';
export { olderThan, pageArguments, sliceOf } from './database/page';
export { UnitOfWork, prismaOf, type Transaction } from './database/unit-of-work';
export { DeliverySettlement } from './deliveries/delivery-settlement';
export { type EndedAttempt, type SettledDelivery } from './deliveries/ended-attempt';
export { type ClaimedDelivery, type LeasedDelivery } from './deliveries/leased-delivery';
export { type ExportLease } from './exports/export-lease';
export { ExportPages } from './exports/export-pages';
export {
  auditedExport,
  exportKeyContext,
  exportObjectKey,
  type ExportOrder,
  type ExportRecord,
} from './exports/export-record';
export { ExportStore, type ExportFile } from './exports/export-store';
export { ExportUpkeep } from './exports/export-upkeep';
export { ExportWork } from './exports/export-work';
export { FailedGuessStore, type GuessCounts } from './guesses/failed-guess-store';
export { IdempotencyStore, answerContext, type ClaimRequest } from './idempotency/idempotency-store';
export { type LimitedOrganization } from './incidents/affected-search';
export { IncidentFanOut } from './incidents/incident-fan-out';
export { IncidentFigures } from './incidents/incident-figures';
export {
  IncidentStore,
  type AffectedOrganization,
  type AffectingIncident,
  type IncidentFilter,
  type IncidentIdempotency,
  type IncidentRecord,
} from './incidents/incident-store';
export { IncidentWatch } from './incidents/incident-watch';
export {
  activeOtlpIntegrations,
  integrationSecretContext,
  type OtlpIntegration,
} from './integrations/active-otlp-integrations';
export {
  IntegrationDeliveryStore,
  type IntegrationDeliveryRecord,
} from './integrations/integration-delivery-store';
export { IntegrationHealth } from './integrations/integration-health';
export { IntegrationIntake } from './integrations/integration-intake';
export { queueIntegrationMails } from './integrations/integration-mails';
export {
  integrationSchedule,
  integrationSettlement,
  type ClaimedIntegrationDelivery,
  type LeasedIntegrationDelivery,
} from './integrations/integration-queue';
export {
  IntegrationStore,
  type IntegrationChange,
  type IntegrationRecord,
} from './integrations/integration-store';
export { OtlpMetricCursors, type ClaimedMinute } from './integrations/otlp-metric-cursors';
export { tracedOrganizations } from './integrations/traced-organizations';
export { ApiKeyStore, type ApiKeyDetails, type ApiKeyRecord } from './keys/api-key-store';
export { KeyUseRecorder } from './keys/key-use-recorder';
export { type ApiKeyFilter } from './keys/search-keys';
export { type CallExplanation } from './ledger/call-explanation';
export { type HoldRequest } from './ledger/hold-request';
export { LedgerStore } from './ledger/ledger-store';
export { type FinalStatus, type Settlement } from './ledger/settlement';
export {
  WalletReading,
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
export { Mutations, type ChangeAuthor, type Mutation } from './mutations/mutations';
export { AuthorizationCodeStore } from './oauth/authorization-code-store';
export { type LockedGrant } from './oauth/grant-standing';
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
export { Outbox } from './outbox/outbox';
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
export { RequestHistory, type RequestFilter } from './requests/request-history';
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
export { type UsageCounts, type UsageRow } from './usage/usage-row';
export { UsageStore } from './usage/usage-store';
export { DeliveryIntake, type DeliverableEvent, type SubscribedEndpoint } from './webhooks/delivery-intake';
export { DeliveryRetention } from './webhooks/delivery-retention';
export {
  BULK_RETRY_MAX,
  WebhookDeliveryStore,
  type BulkRetry,
  type DeliveryFilter,
  type WebhookDeliveryRecord,
  type WebhookDeliverySummaryRecord,
} from './webhooks/delivery-store';
export {
  WebhookEndpointStore,
  signingSecretContext,
  type StoredSigningSecret,
  type WebhookEndpointChange,
  type WebhookEndpointFilter,
  type WebhookEndpointRecord,
} from './webhooks/endpoint-store';
export { FIGURES_MAX, WebhookFiguresStore, type WebhookFiguresRecord } from './webhooks/webhook-figures';
export {
  webhookSchedule,
  webhookSettlement,
  type ClaimedWebhookDelivery,
  type WebhookSchedule,
} from './webhooks/webhook-queue';
