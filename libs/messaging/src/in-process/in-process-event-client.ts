import { type EventRecord } from '../event-record';
import { EventClient } from '../strategy/event-client';
import { type InProcessEventServer } from './in-process-event-server';

/** Delivers events to the handlers of the same process. */
export class InProcessEventClient extends EventClient {
  constructor(private readonly server: InProcessEventServer) {
    super();
  }

  protected override handOver(events: readonly EventRecord[]): Promise<void> {
    return this.server.take(events);
  }
}
