import { type ClientProxy } from '@nestjs/microservices';
import { type Database, OutboxStore, ParkedMessageStore } from '@svc/database';
import { EVENTS } from '@svc/messaging';
import { gaugeAtScrape, type Logger, type Registry } from '@svc/runtime/observability';
import { lastValueFrom } from 'rxjs';

interface OutboxRuntime {
  readonly database: Database;
  /** Takes the events of the outbox, in batches. */
  readonly events: ClientProxy;
  readonly logger: Logger;
  readonly metrics: Registry;
}

const RELAY_EVERY_MS = 100;
const BATCH = 200;

/** The relay of the outbox, and the gauge of messages that no consumer could take. */
export function databaseTasks({ database, events, logger, metrics }: OutboxRuntime) {
  measureParkedMessages(new ParkedMessageStore(database), metrics, logger);
  const outbox = new OutboxStore(database);
  const { isDue } = outbox;
  return [{ name: 'outbox-relay', everyMs: RELAY_EVERY_MS, isDue, run: () => relayOutbox(outbox, events) }];
}

/**
 * Publishes recorded events, oldest first. They are marked only after the transport acknowledged them: after a crash in
 * between they are sent again, and every consumer tolerates a repeat.
 */
export async function relayOutbox(
  outbox: OutboxStore,
  client: ClientProxy,
): Promise<{ readonly more: boolean }> {
  const events = await outbox.claimUnpublished(BATCH);
  if (events.length === 0) return { more: false };
  await lastValueFrom(client.emit(EVENTS, events));
  await outbox.markPublished(events.map(({ id }) => id));
  return { more: events.length === BATCH };
}

/** A gauge for an alert, until every parked message (dead letter) is resolved. */
export function measureParkedMessages(
  parked: Pick<ParkedMessageStore, 'countWaiting'>,
  registry: Registry,
  logger: Logger,
): void {
  gaugeAtScrape({
    name: 'svc_parked_messages',
    help: 'Messages in parked_messages that are not resolved, of all consumers.',
    registry,
    logger,
    read: async (gauge) => {
      gauge.set(await parked.countWaiting());
    },
  });
}
