import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import { type ConsumptionOptions, type EventConsumer, eventConsumers } from '../consumption/event-consumer';
import { type EventRecord, EVENTS } from '../event-record';

/**
 * Delivers events to the handlers that an application declares with `@EventPattern(EVENTS, { group })`, at least once
 * and in order for each organization. A group gets every event, in one of its processes, one at a time for each
 * organization. A failed event is retried with back-off, and parked after ten failures while the database was up.
 * `startListening` connects an application to it.
 */
export abstract class EventServer extends Server implements CustomTransportStrategy {
  /** The consumer gets failures and logs them instead of Nest. */
  override readonly propagatesEventHandlerErrors = true;
  private readonly newConsumer: ReturnType<typeof eventConsumers>;

  constructor(options: ConsumptionOptions) {
    super();
    this.newConsumer = eventConsumers(options);
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
    const { group } = extras;
    if (pattern !== EVENTS || !isEventHandler || typeof group !== 'string') {
      throw new Error('A handler of events is declared by @EventPattern(EVENTS, { group }).');
    }
    if (this.messageHandlers.has(group)) throw new Error(`The group ${group} has more than one handler.`);
    super.addHandler(group, callback, isEventHandler, extras);
  }

  /** One consumer for each group with a handler. */
  protected openConsumers(): readonly EventConsumer[] {
    return [...this.messageHandlers].map(([group, handler]) =>
      this.newConsumer(group, (event) => handled(handler, event)),
    );
  }

  override on(): never {
    throw new Error('This server tells of nothing but events.');
  }

  override unwrap(): never {
    throw new Error('This server shows no driver.');
  }
}

/** Resolves when the handler is done: by its promise or its observable. */
async function handled(handler: MessageHandler<EventRecord>, event: EventRecord): Promise<void> {
  const result: unknown = await handler(event);
  if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
}
