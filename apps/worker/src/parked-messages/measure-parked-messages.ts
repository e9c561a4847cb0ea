import { type ParkedMessageStore } from '@svc/persistence';
import { Gauge, type Logger, type Registry } from '@svc/platform';

/** The figure that an operator is called by until each message has been dealt with. Read when it is asked for. */
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
        // The other figures are worth having when the database is away.
        logger.warn({ err: error }, 'parked messages not counted');
      }
    },
  });
}
