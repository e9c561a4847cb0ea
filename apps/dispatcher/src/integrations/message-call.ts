import { type ConfigurationSecret } from '@svc/deliveries';
import { withConsoleLinks } from '@svc/kernel';
import { type ClaimedIntegrationDelivery } from '@svc/deliveries/store';
import { encodeSpans, signalUrl, testSpan } from '@svc/telemetry';
import { type WebhookCall } from '../transport/webhook-transport';

const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Svc-Integrations/1.0',
  // The excerpt is shown as text, and bodies are never decompressed.
  'accept-encoding': 'identity',
};

/**
 * A message as it is sent. Only here does it hold a secret.
 * @param secret opened for this call.
 */
export async function messageCall(
  { id: deliveryId, organizationId, kind, config, body }: ClaimedIntegrationDelivery,
  secret: ConfigurationSecret,
  { baseUrl, nowMs }: { readonly baseUrl: string; readonly nowMs: number },
): Promise<WebhookCall> {
  const text = withConsoleLinks(body, baseUrl);
  const shownUrl = String(config.url);
  switch (kind) {
    case 'pagerduty': {
      const event = { routing_key: secret.routing_key, ...(JSON.parse(text) as object) };
      return { url: shownUrl, headers: HEADERS, body: Buffer.from(JSON.stringify(event)) };
    }
    case 'otlp': {
      const span = testSpan({ organizationId, deliveryId }, nowMs);
      const encoded = await encodeSpans([span], config.encoding === 'json' ? 'json' : 'protobuf');
      const headers = {
        ...lowerCased(secret.headers ?? {}),
        ...HEADERS,
        'content-type': encoded.contentType,
      };
      return { url: signalUrl(shownUrl, 'traces'), headers, body: encoded.body };
    }
    default:
      return { url: secret.url ?? shownUrl, headers: HEADERS, body: Buffer.from(text) };
  }
}

/** So that no header is sent twice in two spellings. */
const lowerCased = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
