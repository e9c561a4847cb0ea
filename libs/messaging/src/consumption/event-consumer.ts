import { Counter, type Logger, type Registry } from '@svc/platform';
import { type EventHandler } from '../event-transport';
import { type MessageParking, UnprocessableEvent } from '../message-parking';
import { type ReceivedMessage } from './received-message';

/** A message was not taken. It must be offered again, before any that follows it in its partition. */
export interface Postponement {
  readonly retryInMs: number;
  readonly cause: unknown;
}

export interface ConsumptionOptions {
  readonly parking: MessageParking;
  readonly logger: Logger;
  readonly metrics: Registry;
}

interface Trouble {
  readonly offset: bigint;
  tries: number;
  /** Tries that failed while the database answered. */
  failures: number;
}

const FAILURES_MAX = 10;
const RETRY_DELAY_MIN_MS = 100;
const RETRY_DELAY_MAX_MS = 5_000;
const REASON_MAX_CHARACTERS = 500;

/** What a group of consumers does with a message, whichever way it came. */
export class EventConsumer {
  /** By partition: the message that was not taken yet, and holds up those behind it. */
  private readonly troubles = new Map<number, Trouble>();

  constructor(
    private readonly group: string,
    private readonly handle: EventHandler,
    private readonly options: ConsumptionOptions,
    private readonly outcomes: Counter<'consumer' | 'outcome'>,
  ) {}

  /** Never rejects. @returns null when the message is dealt with: handled, or parked. */
  async take(message: ReceivedMessage): Promise<Postponement | null> {
    try {
      await this.handle(message.readEvent());
    } catch (error) {
      return this.fail(message, error);
    }
    this.dealtWith(message, 'handled');
    return null;
  }

  private async fail(message: ReceivedMessage, error: unknown): Promise<Postponement | null> {
    const { parking, logger } = this.options;
    const trouble = this.troubleWith(message);
    trouble.tries++;
    if (await parking.isAvailable()) trouble.failures++;
    const isHopeless = error instanceof UnprocessableEvent || trouble.failures >= FAILURES_MAX;
    if (isHopeless && (await this.park(message, error))) return null;
    const retryInMs = Math.min(RETRY_DELAY_MIN_MS * 2 ** (trouble.tries - 1), RETRY_DELAY_MAX_MS);
    this.outcomes.inc({ consumer: this.group, outcome: 'postponed' });
    logger.warn({ ...this.nameOf(message), tries: trouble.tries, retryInMs, err: error }, 'event postponed');
    return { retryInMs, cause: error };
  }

  /** @returns false when it can't be parked either, because the database went away. */
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
    this.dealtWith(message, 'parked');
    return true;
  }

  private dealtWith({ partition, offset }: ReceivedMessage, outcome: 'handled' | 'parked'): void {
    // A repeat of an earlier one tells nothing of the one in trouble.
    if (this.troubles.get(partition)?.offset === offset) this.troubles.delete(partition);
    this.outcomes.inc({ consumer: this.group, outcome });
  }

  private troubleWith({ partition, offset }: ReceivedMessage): Trouble {
    const known = this.troubles.get(partition);
    if (known?.offset === offset) return known;
    const trouble = { offset, tries: 0, failures: 0 };
    this.troubles.set(partition, trouble);
    return trouble;
  }

  private nameOf({ topic, partition, offset }: ReceivedMessage) {
    return { consumer: this.group, topic, partition, offset: String(offset) };
  }
}

/** Makes the consumers of a transport, which share one metric. */
export function eventConsumers(options: ConsumptionOptions) {
  const outcomes = new Counter({
    name: 'svc_event_messages_total',
    help: 'Messages offered to a consumer by what became of them: handled, postponed or parked.',
    labelNames: ['consumer', 'outcome'],
    registers: [options.metrics],
  });
  return (group: string, handle: EventHandler) => new EventConsumer(group, handle, options, outcomes);
}
