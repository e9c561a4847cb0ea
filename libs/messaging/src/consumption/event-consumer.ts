import { Counter, type Logger, type Registry } from '@svc/runtime/observability';
import { CallConsumer } from './call-consumer';
import { type CallRecord } from '../call-record';
import { type EventHandler } from '../event-record';
import { type MessageParking, UnprocessableEvent } from '../message-parking';
import { type MessageConsumer, type MessageOutcome, type Postponement } from './message-consumer';
import { type ReceivedMessage } from './received-message';

export interface ConsumptionOptions {
  readonly parking: MessageParking;
  readonly logger: Logger;
  readonly metrics: Registry;
}

interface FailingMessage {
  readonly offset: bigint;
  tries: number;
  /** Failed tries while the database answered. */
  failures: number;
}

const FAILURES_MAX = 10;
const RETRY_DELAY_MIN_MS = 100;
const RETRY_DELAY_MAX_MS = 5_000;
const REASON_MAX_CHARACTERS = 500;

/** Hands events to a handler until they are handled or parked. */
class EventConsumer implements MessageConsumer {
  /** By partition: the failing message that blocks later ones. */
  private readonly failing = new Map<number, FailingMessage>();

  constructor(
    readonly group: string,
    private readonly handle: EventHandler,
    private readonly options: ConsumptionOptions,
    private readonly outcomes: Counter<'consumer' | 'outcome'>,
  ) {}

  /** Never rejects. @returns null when the message is handled or parked. */
  async take(message: ReceivedMessage): Promise<Postponement | null> {
    try {
      await this.handle(message.readEvent());
    } catch (error) {
      return this.fail(message, error);
    }
    this.complete(message, 'handled');
    return null;
  }

  private async fail(message: ReceivedMessage, error: unknown): Promise<Postponement | null> {
    const { parking, logger } = this.options;
    const failingMessage = this.failingMessage(message);
    failingMessage.tries++;
    if (await parking.isAvailable()) failingMessage.failures++;
    const isHopeless = error instanceof UnprocessableEvent || failingMessage.failures >= FAILURES_MAX;
    if (isHopeless && (await this.park(message, error))) return null;
    const retryInMs = Math.min(RETRY_DELAY_MIN_MS * 2 ** (failingMessage.tries - 1), RETRY_DELAY_MAX_MS);
    this.outcomes.inc({ consumer: this.group, outcome: 'postponed' });
    logger.warn(
      { ...this.nameOf(message), tries: failingMessage.tries, retryInMs, err: error },
      'event postponed',
    );
    return { retryInMs, cause: error };
  }

  /** @returns false when the message cannot be parked, because the database is down. */
  private async park(message: ReceivedMessage, error: unknown): Promise<boolean> {
    const { topic, partition, offset, key, payload } = message;
    const reason = String(error).slice(0, REASON_MAX_CHARACTERS);
    const { parking, logger } = this.options;
    try {
      await parking.park({ consumer: this.group, topic, partition, offset, key, payload, reason });
    } catch (err) {
      logger.error({ ...this.nameOf(message), err }, 'message could not be parked');
      return false;
    }
    logger.error({ ...this.nameOf(message), key, err: error }, 'message parked');
    this.complete(message, 'parked');
    return true;
  }

  private complete({ partition, offset }: ReceivedMessage, outcome: MessageOutcome): void {
    // A repeat of an earlier message does not reset the failing one.
    if (this.failing.get(partition)?.offset === offset) this.failing.delete(partition);
    this.outcomes.inc({ consumer: this.group, outcome });
  }

  private failingMessage({ partition, offset }: ReceivedMessage): FailingMessage {
    const known = this.failing.get(partition);
    if (known?.offset === offset) return known;
    const failingMessage = { offset, tries: 0, failures: 0 };
    this.failing.set(partition, failingMessage);
    return failingMessage;
  }

  private nameOf({ topic, partition, offset }: ReceivedMessage) {
    return { consumer: this.group, topic, partition, offset: String(offset) };
  }
}

/** Makes the consumers of a transport with a shared metric. */
export function messageConsumers(options: ConsumptionOptions) {
  const outcomes = new Counter({
    name: 'svc_event_messages_total',
    help: 'Messages offered to a consumer by what became of them: handled, postponed, parked or lost.',
    labelNames: ['consumer', 'outcome'],
    registers: [options.metrics],
  });
  return {
    ofEvents: (group: string, handle: EventHandler) => new EventConsumer(group, handle, options, outcomes),
    ofCalls: (group: string, handle: (call: CallRecord) => Promise<void>) =>
      new CallConsumer(group, handle, options.logger, outcomes),
  };
}
