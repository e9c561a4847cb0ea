import { type PaymentFigures } from '@svc/persistence';
import { Gauge, type Logger, type Registry } from '@svc/platform';

/** Gauges that are read at each scrape. */
export function measurePayments(
  figures: Pick<PaymentFigures, 'inReview' | 'owed'>,
  registry: Registry,
  logger: Logger,
): void {
  // The other metrics stay useful when the database is unreachable.
  const warn = (error: unknown): void => {
    logger.warn({ err: error }, 'payments not measured');
  };
  new Gauge({
    name: 'svc_payments_in_review',
    help: 'Payments that wait for the operator’s decision.',
    registers: [registry],
    async collect() {
      await figures.inReview().then((count) => {
        this.set(count);
      }, warn);
    },
  });
  new Gauge({
    name: 'svc_wallets_owed_nanos',
    help: 'What wallets owe for refunds and disputes, in nano-dollars.',
    registers: [registry],
    async collect() {
      await figures.owed().then((owed) => {
        this.set(Number(owed));
      }, warn);
    },
  });
}
