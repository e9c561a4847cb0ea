export { DeliverySettlement } from './engine/delivery-settlement';
export { type EndedAttempt, type SettledDelivery } from './engine/ended-attempt';
export { type ClaimedDelivery, type LeasedDelivery } from './engine/leased-delivery';
export {
  activeOtlpIntegrations,
  integrationSecretContext,
  type OtlpIntegration,
} from './integrations/active-otlp-integrations';
export {
  IntegrationDeliveryStore,
  queueIntegrationDeliveries,
  type IntegrationDeliveryRecord,
} from './integrations/integration-delivery-store';
export { IntegrationHealth } from './integrations/integration-health';
export {
  IntegrationIntake,
  messageIntegrationsOf,
  type SubscribedIntegration,
} from './integrations/integration-intake';
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
export {
  DeliveryIntake,
  type AddressedEvent,
  type DeliverableEvent,
  type SubscribedEndpoint,
} from './webhooks/delivery-intake';
export { DeliveryRetention } from './webhooks/delivery-retention';
export {
  BULK_RETRY_MAX,
  WebhookDeliveryStore,
  type BulkRetry,
  type DeliveryAttemptRecord,
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
