import { type ParkedMessageStore } from '@svc/database';
import { gaugeAtScrape, type Logger, type Registry } from '@svc/runtime/observability';

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
