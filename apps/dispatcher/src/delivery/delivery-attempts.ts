import {
  type ClaimedDelivery,
  type DeliverySettlement,
  type EndedAttempt,
  type LeasedDelivery,
} from '@svc/deliveries/store';
import { type Logger } from '@svc/runtime/observability';
import { type AttemptEnd, type DeliveryChannel, UNANSWERED } from './delivery-channel';

interface DeliveryAttemptsOptions<Leased extends LeasedDelivery, Claimed extends Leased> {
  readonly channel: DeliveryChannel<Leased, Claimed>;
  readonly settlement: Pick<DeliverySettlement<Leased>, 'settle'>;
  readonly logger: Logger;
}

type Fields = Readonly<Record<string, unknown>>;

/** `attempts_log[].error` when we could not send; this process's log has the reason. */
const NOT_SENT = 'not_sent';
/** `attempts_log[].error` of an attempt whose process died (docs/reference/webhooks.md#deliveries). */
const WORKER_LOST = 'worker_lost';

/** Makes attempts: sends, settles and logs one line. */
export class DeliveryAttempts<Leased extends LeasedDelivery, Claimed extends Leased & ClaimedDelivery> {
  constructor(private readonly options: DeliveryAttemptsOptions<Leased, Claimed>) {}

  /** Resolves when the attempt is settled. Never throws: an unsettled attempt is lost once its lease lapses. */
  async make(delivery: Claimed): Promise<void> {
    const { eventId, eventType, organizationId, claimedAt, dueAt } = delivery;
    await this.end(
      { delivery, ...(await this.send(delivery)) },
      {
        event_id: eventId,
        event_type: eventType,
        organization_id: organizationId,
        lag_ms: claimedAt.getTime() - dueAt.getTime(),
      },
    );
  }

  /** Settles as failed an attempt whose process died. */
  failLost(delivery: Leased): Promise<void> {
    return this.end({
      delivery,
      outcome: 'worker_lost',
      isOwnFault: true,
      error: WORKER_LOST,
      ...UNANSWERED,
    });
  }

  private async send(delivery: Claimed): Promise<AttemptEnd> {
    const { channel, logger } = this.options;
    try {
      return await channel.send(delivery);
    } catch (error) {
      logger.error({ ...this.idsOf(delivery), err: error }, `${channel.noun} not sent`);
      return { outcome: 'failed', isOwnFault: true, error: NOT_SENT, ...UNANSWERED };
    }
  }

  private async end(attempt: EndedAttempt<Leased>, facts: Fields = {}): Promise<void> {
    const { channel, settlement, logger } = this.options;
    const { delivery, outcome, statusCode, error, durationMs } = attempt;
    const line = {
      ...this.idsOf(delivery),
      ...channel.fieldsOf(delivery),
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
      channel.observeEnd(attempt, settled);
      if (settled === null) return void logger.warn(line, `${channel.noun} attempt void: its lease was lost`);
      const { status, nextAttemptAt: next_attempt_at, isReceiverDisabled } = settled;
      const consequence = isReceiverDisabled ? { [`${channel.receiver}_disabled`]: true } : {};
      logger.info({ ...line, status, next_attempt_at, ...consequence }, `${channel.noun} attempt`);
    } catch (failure) {
      logger.error({ ...line, err: failure }, `${channel.noun} attempt not settled`);
    }
  }

  private idsOf({ id, receiverId }: LeasedDelivery): Fields {
    return { delivery_id: id, [`${this.options.channel.receiver}_id`]: receiverId };
  }
}
