import { type ClientProxy } from '@nestjs/microservices';
import { EVENTS } from '@svc/messaging';
import { type OutboxStore } from '@svc/database';
import { lastValueFrom } from 'rxjs';

const BATCH = 200;

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
