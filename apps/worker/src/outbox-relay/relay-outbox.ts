import { type EventTransport } from '@svc/messaging';
import { type OutboxStore } from '@svc/persistence';

const BATCH = 200;

/**
 * Hands recorded events to the transport, oldest first. They are marked only after the transport took them: a crash
 * between the two sends them again, and every consumer tolerates a repeat.
 */
export async function relayOutbox(
  outbox: OutboxStore,
  transport: EventTransport,
): Promise<{ readonly more: boolean }> {
  const events = await outbox.claimUnpublished(BATCH);
  if (events.length === 0) return { more: false };
  await transport.publish(events);
  await outbox.markPublished(events.map(({ id }) => id));
  return { more: events.length === BATCH };
}
