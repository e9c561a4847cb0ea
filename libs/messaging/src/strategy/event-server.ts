import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import { type CallConsumer } from '../consumption/call-consumer';
import { CALLS, type CallRecord } from '../call-record';
import { type ConsumptionOptions, messageConsumers } from '../consumption/event-consumer';
import { type MessageConsumer } from '../consumption/message-consumer';
import { type EventRecord, EVENTS } from '../event-record';

/**
 * Delivers events to the handlers that an application declares with `@EventPattern(EVENTS, { group })`, at least once
 * and in order for each organization. A group gets every event, in one of its processes, one at a time for each
 * organization. A failed event is retried with back-off, and parked after ten failures while the database was up.
 * A handler of `@EventPattern(EVENTS, { group, eventsMax })` takes up to `eventsMax` events together, as an
 * {@link EventBatchHandler}. Handlers of `@EventPattern(CALLS, { group })` get finished calls in the same way, but each at most once.
 * `startListening` connects an application to it.
 */
export abstract class EventServer extends Server implements CustomTransportStrategy {
  /** The consumer gets failures and logs them instead of Nest. */
  override readonly propagatesEventHandlerErrors = true;
  private readonly consumers: ReturnType<typeof messageConsumers>;
  /** The pattern of each group. */
  private readonly patterns = new Map<string, unknown>();

  constructor(options: ConsumptionOptions) {
    super();
    this.consumers = messageConsumers(options);
  }

  abstract override listen(callback: () => void): void;
  abstract override close(): Promise<void>;

  /**
   * Handlers are keyed by group, one per group. Nest would run all handlers of a pattern concurrently and fail with the
   * first failure: the others would get the event again while they still handle it.
   * @throws Error for a handler that would get no events, and for the second of a group.
   */
  override addHandler(
    pattern: unknown,
    callback: MessageHandler,
    isEventHandler = false,
    extras: Readonly<Record<string, unknown>> = {},
  ): void {
    const { group, eventsMax } = extras;
    if ((pattern !== EVENTS && pattern !== CALLS) || !isEventHandler || typeof group !== 'string') {
      throw new Error('A handler of events is declared by @EventPattern(EVENTS, { group }).');
    }
    if (eventsMax !== undefined && !(pattern === EVENTS && isCount(eventsMax))) {
      throw new Error(`The group ${group} cannot take so many messages together.`);
    }
    if (this.messageHandlers.has(group)) throw new Error(`The group ${group} has more than one handler.`);
    this.patterns.set(group, pattern);
    super.addHandler(group, callback, isEventHandler, extras);
  }

  /** One consumer for each group that takes events. */
  protected openEventConsumers(): readonly MessageConsumer[] {
    return this.handlersOf(EVENTS).map(([group, handler]) => {
      const eventsMax: unknown = handler.extras?.['eventsMax'];
      return isCount(eventsMax)
        ? this.consumers.ofEventBatches(group, (events) => handled(handler, events), eventsMax)
        : this.consumers.ofEvents(group, (event) => handled(handler, event));
    });
  }

  /** One consumer for each group that takes finished calls. */
  protected openCallConsumers(): readonly CallConsumer[] {
    return this.handlersOf(CALLS).map(([group, handler]) =>
      this.consumers.ofCalls(group, (call) => handled(handler, call)),
    );
  }

  private handlersOf(pattern: string): [string, MessageHandler][] {
    return [...this.messageHandlers].filter(([group]) => this.patterns.get(group) === pattern);
  }

  override on(): never {
    throw new Error('This server tells of nothing but events.');
  }

  override unwrap(): never {
    throw new Error('This server shows no driver.');
  }
}

/** Resolves when the handler is done: by its promise or its observable. */
async function handled(
  handler: MessageHandler,
  data: EventRecord | readonly EventRecord[] | CallRecord,
): Promise<void> {
  const result: unknown = await handler(data);
  if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;
