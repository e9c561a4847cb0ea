import { signatureHeader } from '@svc/events';
import { type ClaimedDelivery } from '@svc/persistence';

const USER_AGENT = 'Svc-Webhooks/1.0';

/**
 * What a delivery is sent with (interface.md, Delivery request).
 * @param secrets those valid now, the newest first.
 */
export const webhookHeaders = (
  { id, eventId, eventType, attemptNumber }: ClaimedDelivery,
  secrets: readonly string[],
  timestampSeconds: number,
  body: Buffer,
): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  'user-agent': USER_AGENT,
  // An excerpt is shown as text, and nothing is decompressed.
  'accept-encoding': 'identity',
  'svc-signature': signatureHeader(secrets, timestampSeconds, body),
  'svc-event-id': eventId,
  'svc-event-type': eventType,
  'svc-delivery-id': id,
  'svc-delivery-attempt': String(attemptNumber),
  'idempotency-key': id,
});
