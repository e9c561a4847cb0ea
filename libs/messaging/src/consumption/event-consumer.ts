import { Counter, type Logger, type Registry } from '@svc/runtime/observability';
import { CallConsumer } from './call-consumer';
import { type CallRecord } from '../call-record';
import { type EventBatchHandler, type EventHandler } from '../event-record';
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
  /** By partition: how many are taken together after a failure, at least two. */
  private readonly togetherMax = new Map<number, number>();

  constructor(
    readonly group: string,
    private readonly handle: EventBatchHandler,
    readonly messagesMax: number,
    private readonly options: ConsumptionOptions,
    private readonly outcomes: Counter<'consumer' | 'outcome'>,
  ) {}

  async takeFirst(messages: readonly ReceivedMessage[]): Promise<number | Postponement> {
    const [first] = messages;
    if (first === undefined) return 0;
    const count = await this.takeTogether(first, messages.slice(0, this.countBeforeFailing(messages)));
    return count > 0 ? count : ((await this.take(first)) ?? 1);
  }

  /** Never rejects. @returns null when the message is handled or parked. */
  async take(message: ReceivedMessage): Promise<Postponement | null> {
    try {
      await this.handle([message.readEvent()]);
    } catch (error) {
      return this.fail(message, error);
    }
    this.complete(message, 'handled');
    return null;
  }

  /**
   * After a failure the first is taken alone, and half as many together from then on, until they succeed again: whatever
   * fails is in the end taken alone, and holds up only what is behind it.
   * @returns how many were handled, from the first on.
   */
  private async takeTogether(first: ReceivedMessage, messages: readonly ReceivedMessage[]): Promise<number> {
    const { partition } = first;
    const together = messages.slice(0, this.togetherMax.get(partition));
    const count = together.length;
    if (count < 2) return 0;
    try {
      await this.handle(together.map((message) => message.readEvent()));
    } catch (err) {
      this.togetherMax.set(partition, Math.max(2, Math.floor(count / 2)));
      this.options.logger.warn({ ...this.nameOf(first), count, err }, 'events not taken together');
      return 0;
    }
    const max = 2 * (this.togetherMax.get(partition) ?? this.messagesMax);
    if (max < this.messagesMax) this.togetherMax.set(partition, max);
    else this.togetherMax.delete(partition);
    for (const message of together) this.complete(message, 'handled');
    return count;
  }

  /** A message that is known to fail is taken alone, and those before it without it. */
  private countBeforeFailing(messages: readonly ReceivedMessage[]): number {
    const isFailing = ({ partition, offset }: ReceivedMessage) =>
      this.failing.get(partition)?.offset === offset;
    const at = messages.findIndex(isFailing);
    return at < 0 ? messages.length : at;
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

const inTurn =
  (handle: EventHandler): EventBatchHandler =>
  async (events) => {
    for (const event of events) await handle(event);
  };

/** Makes the consumers of a transport with a shared metric. */
export function messageConsumers(options: ConsumptionOptions) {
  const outcomes = new Counter({
    name: 'svc_event_messages_total',
    help: 'Messages offered to a consumer by what became of them: handled, postponed, parked or lost.',
    labelNames: ['consumer', 'outcome'],
    registers: [options.metrics],
  });
  return {
    ofEvents: (group: string, handle: EventHandler) =>
      new EventConsumer(group, inTurn(handle), 1, options, outcomes),
    ofEventBatches: (group: string, handle: EventBatchHandler, eventsMax: number) =>
      new EventConsumer(group, handle, eventsMax, options, outcomes),
    ofCalls: (group: string, handle: (call: CallRecord) => Promise<void>) =>
      new CallConsumer(group, handle, options.logger, outcomes),
  };
}
