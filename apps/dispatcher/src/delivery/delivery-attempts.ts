import { outcomeOf } from '@svc/events';
import { type Clock } from '@svc/kernel';
import {
  type ClaimedDelivery,
  type DeliverySettlement,
  type EndedAttempt,
  type LeasedDelivery,
  signingSecretContext,
} from '@svc/persistence';
import { type Logger, type Sealer } from '@svc/platform';
import { type WebhookAnswer, type WebhookTransport } from '../transport/webhook-transport';
import { type DeliveryMetrics } from './delivery-metrics';
import { webhookHeaders } from './webhook-headers';

interface DeliveryAttemptsOptions {
  readonly transport: Pick<WebhookTransport, 'post'>;
  readonly settlement: Pick<DeliverySettlement, 'settle'>;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: DeliveryMetrics;
}

/** `attempts_log[].error` when we could not send; this process's log has the reason. */
const NOT_SENT = 'not_sent';
/** `attempts_log[].error` of an attempt whose process died (docs/reference/webhooks.md#deliveries). */
const WORKER_LOST = 'worker_lost';

/** Makes attempts: signs, sends, settles and logs one line. */
export class DeliveryAttempts {
  constructor(private readonly options: DeliveryAttemptsOptions) {}

  /** Resolves when the attempt is settled. Never throws: an unsettled attempt is lost once its lease lapses. */
  async make(delivery: ClaimedDelivery): Promise<void> {
    const answer = await this.send(delivery);
    const { eventId, eventType, organizationId } = delivery;
    await this.end(
      { delivery, ...answer },
      {
        event_id: eventId,
        event_type: eventType,
        organization_id: organizationId,
        lag_ms: delivery.claimedAt.getTime() - delivery.dueAt.getTime(),
      },
    );
  }

  /** Settles as failed an attempt whose process died. */
  failLost(delivery: LeasedDelivery): Promise<void> {
    const unknown = { durationMs: null, statusCode: null, responseExcerpt: null };
    return this.end({
      delivery,
      outcome: 'worker_lost',
      isOwnFault: true,
      error: WORKER_LOST,
      ...unknown,
    });
  }

  private async send(delivery: ClaimedDelivery): Promise<Omit<EndedAttempt, 'delivery'>> {
    const { transport, clock, logger, metrics } = this.options;
    metrics.observeClaim(delivery, clock.now());
    try {
      const body = Buffer.from(delivery.payload);
      const headers = webhookHeaders(
        delivery,
        this.secretsOf(delivery),
        Math.floor(clock.now() / 1000),
        body,
      );
      return endOf(await transport.post({ url: delivery.url, headers, body }));
    } catch (error) {
      logger.error(
        { delivery_id: delivery.id, endpoint_id: delivery.endpointId, err: error },
        'webhook not sent',
      );
      const nothing = { durationMs: null, statusCode: null, responseExcerpt: null };
      return { outcome: 'failed', isOwnFault: true, error: NOT_SENT, ...nothing };
    }
  }

  /** Opened just before signing, so that only secrets valid now are used. */
  private secretsOf({ endpointId, sealedSecrets }: ClaimedDelivery): readonly string[] {
    const context = signingSecretContext(endpointId);
    return sealedSecrets.map((sealed) => this.options.sealer.open(sealed, context).toString());
  }

  private async end(attempt: EndedAttempt, facts: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const { settlement, logger, metrics } = this.options;
    const { delivery, outcome, statusCode, error, durationMs } = attempt;
    const line = {
      delivery_id: delivery.id,
      endpoint_id: delivery.endpointId,
      ...facts,
      round: delivery.round,
      attempt: delivery.attemptNumber,
      outcome,
      status_code: statusCode,
      error,
      duration_ms: durationMs,
    };
    try {
      const settled = await settlement.settle(attempt);
      metrics.observeEnd(attempt, settled);
      if (settled === null) return void logger.warn(line, 'webhook attempt void: its lease was lost');
      const { status, nextAttemptAt: next_attempt_at, isEndpointDisabled } = settled;
      const consequence = isEndpointDisabled ? { endpoint_disabled: true } : {};
      logger.info({ ...line, status, next_attempt_at, ...consequence }, 'webhook attempt');
    } catch (failure) {
      logger.error({ ...line, err: failure }, 'webhook attempt not settled');
    }
  }
}

/** What a receiver asks for in `Retry-After` changes nothing (docs/reference/webhooks.md#schedule). */
const endOf = ({ retryAfter: _, ...answer }: WebhookAnswer): Omit<EndedAttempt, 'delivery'> => ({
  outcome: outcomeOf(answer.statusCode),
  isOwnFault: false,
  ...answer,
});
