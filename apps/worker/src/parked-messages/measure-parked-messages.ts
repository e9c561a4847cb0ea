import { type ParkedMessageStore } from '@svc/persistence';
import { Gauge, type Logger, type Registry } from '@svc/platform';

/** A gauge for an alert, until every parked message (dead letter) is resolved. Read at each scrape. */
export function measureParkedMessages(
  parked: Pick<ParkedMessageStore, 'countWaiting'>,
  metrics: Registry,
  logger: Logger,
): void {
  new Gauge({
    name: 'svc_parked_messages',
    help: 'Messages in parked_messages that are not resolved, of all consumers.',
    registers: [metrics],
    async collect() {
      try {
        this.set(await parked.countWaiting());
      } catch (error) {
        // The other metrics stay useful when the database is unreachable.
        logger.warn({ err: error }, 'parked messages not counted');
      }
    },
  });
}
