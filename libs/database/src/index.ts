export { AlertEvaluation } from './alerts/alert-evaluation';
export {
  type AlertRuleCopy,
  type AlertRuleRecord,
  type AlertRuleSettings,
  type AlertSeverity,
} from './alerts/alert-rule-record';
export { AlertRuleStore, type AlertRuleBreak, type AlertRuleFilter } from './alerts/alert-rule-store';
export { notificationsOf, type NotificationRecord } from './alerts/alert-notifications';
export { AlertStore, type AlertRecord } from './alerts/alert-store';
export { explainFailure, refusalFor } from './database/failure';
export { AuditLog, PLATFORM_LOG, type AuditEntry, type AuditRecord, type Changes } from './audit/audit-log';
export { changedFields, initialFields } from './audit/changed-fields';
export { approvedCallQueue } from './approvals/approved-call-queue';
export { ApprovalExecutions } from './approvals/approval-executions';
export {
  ApprovalPolicyStore,
  type ApprovalPolicyRecord,
  type ApprovalPolicySettings,
} from './approvals/approval-policy-store';
export { type ApprovalRequestRecord, type ExecutionError } from './approvals/approval-request-record';
export { ApprovalRequestStore, type ApprovalRequestFilter } from './approvals/approval-request-store';
export { ApprovalUpkeep } from './approvals/approval-upkeep';
export { queueMails } from './approvals/queue-mails';
export { Mutations, type ChangeAuthor, type Mutation } from './mutations/mutations';
export { BudgetSpendStore } from './budgets/budget-spend-store';
export {
  BudgetStore,
  type BudgetChange,
  type BudgetFilter,
  type BudgetPeriod,
  type BudgetRecord,
  type NewBudget,
} from './budgets/budget-store';
export { CallHourStore } from './call-minutes/call-hour-store';
export { CallMinuteStore, type CallMinute } from './call-minutes/call-minute-store';
export { minuteSums } from './call-minutes/minute-sums';
export { MinuteUsage, type CountedTimes } from './call-minutes/minute-usage';
export { CallerStore } from './callers/caller-store';
export { knownCallers } from './callers/known-callers';
export { type Change } from './changes/change';
export { ChangeFeed, type ChangeFeedOptions } from './changes/change-feed';
export { CircuitReportStore, type CircuitReport } from './circuits/circuit-report-store';
export { EdgeFactsStore, type EdgeFacts } from './circuits/edge-facts-store';
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
export { LeaseLostError } from './database/lease-lost-error';
export { UnitOfWork, type Transaction } from './database/unit-of-work';
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
export { answerContext, type ClaimRequest, IdempotencyStore } from './idempotency/idempotency-store';
export { type IsAffected, type LimitedOrganization } from './incidents/affected-search';
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
export { type ClaimedMinute, OtlpMetricCursors } from './integrations/otlp-metric-cursors';
export { tracedOrganizations } from './integrations/traced-organizations';
export {
  IntegrationDeliveryStore,
  type IntegrationDeliveryRecord,
} from './integrations/integration-delivery-store';
export { type DeliverySettlement } from './deliveries/delivery-settlement';
export { type EndedAttempt, type SettledDelivery } from './deliveries/ended-attempt';
export { type ClaimedDelivery, type LeasedDelivery } from './deliveries/leased-delivery';
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
export {
  ApiKeyStore,
  type ApiKeyChange,
  type ApiKeyDetails,
  type ApiKeyRecord,
  type NewApiKey,
} from './keys/api-key-store';
export { type ApiKeyFilter, type ApiKeyPurpose } from './keys/search-keys';
export { KeyUseRecorder } from './keys/key-use-recorder';
export { type CallExplanation } from './ledger/call-explanation';
export { type HoldRequest } from './ledger/hold-request';
export { LedgerStore } from './ledger/ledger-store';
export { type FinalStatus, type Settlement } from './ledger/settlement';
export {
  walletBalance,
  WalletReading,
  walletTransactionKinds,
  type WalletBalance,
  type WalletTransaction,
} from './ledger/wallet-reading';
export { WalletStore, type CreditGrant } from './ledger/wallet-store';
export { InvitationAcceptance, type Admission, type InvitationRecord } from './members/invitation-acceptance';
export {
  InvitationStore,
  type InvitationFilter,
  type NewInvitation,
  type SentInvitation,
} from './members/invitation-store';
export { MemberStore, type MemberFilter, type MemberRecord } from './members/member-store';
export { UserStore, type UserRecord } from './members/user-store';
export { migrate } from './migrations/migrate';
export { AuthorizationCodeStore } from './oauth/authorization-code-store';
export { type LockedGrant } from './oauth/grant-standing';
export { GrantStore, type GrantFilter, type GrantHolder, type GrantRecord } from './oauth/grant-store';
export {
  OauthAppStore,
  type NewOauthApp,
  type OauthAppChange,
  type OauthAppRecord,
  type OauthClientRecord,
} from './oauth/oauth-app-store';
export { SigningKeyStore, type SigningKeyRecord } from './oauth/signing-key-store';
export { TokenStore } from './oauth/token-store';
export { bootstrap, type BootstrapInput } from './organizations/bootstrap';
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
export { MailQueue, type ClaimedMail, type EndedTry } from './mails/mail-queue';
export { ParkedMessageStore } from './outbox/parked-message-store';
export { ParkedMessages, type ParkedMessage, type ParkedMessageFilter } from './outbox/parked-messages';
export { OutboxStore } from './outbox/outbox-store';
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
export { RequestRecordStore, type AbandonedCall } from './recovery/request-record-store';
export { RefusalStore, type RefusalBatch, type RefusalCount } from './refusals/refusal-store';
export {
  isRefusalGrouping,
  refusalGroupings,
  RefusalSummaries,
  type RefusalQuery,
  type RefusalRow,
} from './refusals/refusal-summary';
export { RequestHistory, type RequestFilter } from './requests/request-history';
export { RequestMonths } from './requests/request-months';
export { Retention } from './retention/retention';
export { RETENTION_RULES } from './retention/retention-rules';
export { type RequestRecord } from './requests/request-record';
export { SealedValues } from './sealing/sealed-values';
export {
  SESSION_IDLE_MS,
  SessionStore,
  type SessionMembership,
  type SessionRecord,
} from './sessions/session-store';
export { UserSessionStore, type UserSession } from './sessions/user-session-store';
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
export {
  BULK_RETRY_MAX,
  WebhookDeliveryStore,
  type BulkRetry,
  type DeliveryFilter,
  type WebhookDeliveryRecord,
  type WebhookDeliverySummaryRecord,
} from './webhooks/delivery-store';
export { WebhookFiguresStore, FIGURES_MAX, type WebhookFiguresRecord } from './webhooks/webhook-figures';
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
  webhookSchedule,
  webhookSettlement,
  type ClaimedWebhookDelivery,
  type WebhookSchedule,
} from './webhooks/webhook-queue';
export { AutoTopUpCharges } from './payments/auto-top-up-charges';
export { AutoTopUpEnds } from './payments/auto-top-up-ends';
export { AutoTopUpStore, type AutoTopUpRecord, type AutoTopUpSettings } from './payments/auto-top-up-store';
export { OwedCollection } from './payments/owed-collection';
export { openSettlement } from './payments/open-settlement';
export { PaymentFigures } from './payments/payment-figures';
export { type PaymentMethodRecord } from './payments/payment-method-record';
export { PaymentMethodSettlement } from './payments/payment-method-settlement';
export { PaymentMethodStore } from './payments/payment-method-store';
export { type PaymentRecord } from './payments/payment-record';
export { PaymentOutcomes } from './payments/payment-outcomes';
export { type PaymentSettlement } from './payments/payment-settlement';
export { PaymentStore } from './payments/payment-store';
export { ProviderEventStore, type WaitingEvent } from './payments/provider-event-store';
export {
  trainingFileKeyContext,
  trainingFileObjectKey,
  type TrainingFileContent,
  type TrainingFileRecord,
} from './training-files/training-file-record';
export { TrainingFileStore } from './training-files/training-file-store';
export { TrainingFileUpkeep } from './training-files/training-file-upkeep';
export { StandingHolds } from './standing-holds/standing-holds';
export { FineTuningEndpointFigures } from './fine-tuning-endpoints/endpoint-figures';
export { type EndpointRecord } from './fine-tuning-endpoints/endpoint-record';
export { EndpointRuns, type LeasedRun } from './fine-tuning-endpoints/endpoint-runs';
export { EndpointStore, type EndpointTotals } from './fine-tuning-endpoints/endpoint-store';
export { FineTuningFigures } from './fine-tuning/figures';
export {
  type CheckpointRecord,
  type FineTuningJobRecord,
  type JobEventRecord,
  type LossRecord,
  type JobMetadata,
} from './fine-tuning/job-record';
export { FineTuningJobStore } from './fine-tuning/job-store';
export { FineTuningJobWork, type JobLease, type SaidOfJob } from './fine-tuning/job-work';
export { TunedModelStore, type TunedModelRecord } from './fine-tuning/tuned-model-store';
export { TunedModelWork } from './fine-tuning/tuned-model-work';
