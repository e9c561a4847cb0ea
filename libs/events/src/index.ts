export {
  eventCatalogue,
  eventJsonSchema,
  eventTypes,
  testedExample,
  type EventData,
  type EventType,
  type ReconciliationReason,
} from './catalog/event-catalogue';
export { type EventDefinition } from './catalog/define-event';
export { EVENT_NAME_MAX_CHARACTERS } from './catalog/event-fields';
export { isEventTypePattern, matchesSubscription } from './catalog/subscription';
export { EVENT_API_VERSION, happenedAtMs, recordEvent, type RecordedEvent } from './envelope/event-envelope';
export { signatureHeader, verifySignature } from './signature/signature';
export {
  formatSigningSecret,
  PREVIOUS_SECRET_VALIDITY_MS,
  SIGNING_SECRET_ENTROPY_BYTES,
  signingSecretLast4,
} from './signature/signing-secret';
export {
  DEFAULT_RETRY_DELAYS_SECONDS,
  MAX_ATTEMPTS,
  nextAttemptAt,
  retryDelaySeconds,
} from './delivery/retry-schedule';
export {
  ACKNOWLEDGEMENT_TIMEOUT_MS,
  deliveryAfter,
  newDelivery,
  outcomeOf,
  PARKED_DELIVERY_LIFETIME_MS,
  retriedByHand,
  type DeliveryOutcome,
  type DeliveryProgress,
  type DeliveryStatus,
} from './delivery/delivery-progress';
export {
  healthAfter,
  healthAfterPatch,
  isEnabledState,
  NEW_ENDPOINT_HEALTH,
  type EndpointHealth,
  type EndpointState,
} from './delivery/endpoint-health';
export { isAllowedAddress, isPublicAddress, type AddressPolicy } from './url-policy/public-address';
export { readWebhookUrl, type WebhookUrlPolicy } from './url-policy/webhook-url';
