import { type PaymentFigures } from '@svc/payments/store';
import { gaugeAtScrape, type Logger, type Registry } from '@svc/runtime/observability';

/** Gauges of what payments ask of the operator. */
export function measurePayments(
  figures: Pick<PaymentFigures, 'inReview' | 'owed'>,
  registry: Registry,
  logger: Logger,
): void {
  gaugeAtScrape({
    name: 'svc_payments_in_review',
    help: 'Payments that wait for the operator’s decision.',
    registry,
    logger,
    read: async (gauge) => {
      gauge.set(await figures.inReview());
    },
  });
  gaugeAtScrape({
    name: 'svc_wallets_owed_nanos',
    help: 'What wallets owe for refunds and disputes, in nano-dollars.',
    registry,
    logger,
    read: async (gauge) => {
      gauge.set(Number(await figures.owed()));
    },
  });
}
