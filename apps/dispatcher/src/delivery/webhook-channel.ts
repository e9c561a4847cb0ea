import { outcomeOf } from '@svc/events';
import { type Clock } from '@svc/kernel';
import {
  type ClaimedWebhookDelivery,
  type EndedAttempt,
  type LeasedDelivery,
  type SettledDelivery,
  signingSecretContext,
} from '@svc/deliveries/store';
import { type Sealer } from '@svc/runtime';
import { type WebhookTransport } from '../transport/webhook-transport';
import { type AttemptEnd, type DeliveryChannel } from './delivery-channel';
import { type DeliveryMetrics } from './delivery-metrics';
import { webhookHeaders } from './webhook-headers';

interface WebhookChannelOptions {
  readonly transport: Pick<WebhookTransport, 'post'>;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly metrics: DeliveryMetrics;
}

/** Signs and sends webhooks. */
export class WebhookChannel implements DeliveryChannel<LeasedDelivery, ClaimedWebhookDelivery> {
  readonly noun = 'webhook';
  readonly receiver = 'endpoint';

  constructor(private readonly options: WebhookChannelOptions) {}

  async send(delivery: ClaimedWebhookDelivery): Promise<AttemptEnd> {
    const { transport, clock, metrics } = this.options;
    metrics.observeClaim(delivery, clock.now());
    const body = Buffer.from(delivery.payload);
    const timestampSeconds = Math.floor(clock.now() / 1000);
    const headers = webhookHeaders(delivery, this.secretsOf(delivery), timestampSeconds, body);
    // `Retry-After` of a receiver changes nothing (docs/reference/webhooks.md#schedule).
    const { retryAfter: _, ...answer } = await transport.post({ url: delivery.url, headers, body });
    return { outcome: outcomeOf(answer.statusCode), isOwnFault: false, ...answer };
  }

  fieldsOf(): Readonly<Record<string, unknown>> {
    return {};
  }

  observeEnd(attempt: EndedAttempt, settled: SettledDelivery | null): void {
    this.options.metrics.observeEnd(attempt, settled);
  }

  /** Opened just before signing, so that only secrets valid now are used. */
  private secretsOf({ receiverId, sealedSecrets }: ClaimedWebhookDelivery): readonly string[] {
    const context = signingSecretContext(receiverId);
    return sealedSecrets.map((sealed) => this.options.sealer.open(sealed, context).toString());
  }
}
