import { signatureHeader } from '@svc/events';
import { type ClaimedWebhookDelivery } from '@svc/deliveries/store';

const USER_AGENT = 'Svc-Webhooks/1.0';

/**
 * The headers of a delivery (docs/reference/webhooks.md#the-delivery-request).
 * @param secrets the secrets valid now, newest first.
 */
export const webhookHeaders = (
  { id, eventId, eventType, attemptNumber }: ClaimedWebhookDelivery,
  secrets: readonly string[],
  timestampSeconds: number,
  body: Buffer,
): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  'user-agent': USER_AGENT,
  // The excerpt is shown as text, and bodies are never decompressed.
  'accept-encoding': 'identity',
  'svc-signature': signatureHeader(secrets, timestampSeconds, body),
  'svc-event-id': eventId,
  'svc-event-type': eventType,
  'svc-delivery-id': id,
  'svc-delivery-attempt': String(attemptNumber),
  'idempotency-key': id,
});
