import { type PaymentProvider } from '@svc/payments';
import { type Database } from '@svc/database';
import { AutoTopUpCharges, OwedCollection, PaymentFigures, ProviderEventStore } from '@svc/payments/store';
import { givenUpEvents, type PaymentSettlement, workOffEvents } from '@svc/payments/work';
import { gaugeAtScrape, type Logger, type Registry } from '@svc/runtime/observability';

/** The parts that the worker needs where payments are on. */
export interface OpenPayments {
  readonly provider: PaymentProvider;
  readonly settlement: PaymentSettlement;
}

interface PaymentRuntime {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly payments: OpenPayments | null;
}

const EVENTS_EVERY_MS = 500;
const ASK_EVERY_MS = 1_000;
const COLLECT_EVERY_MS = 5_000;
const AUTO_TOP_UP_EVERY_MS = 5_000;

const WALLETS_AT_ONCE = 50;
const WRITTEN_OFF_AT_ONCE = 50;
const WRITTEN_OFF_AFTER_MS = 90 * 86_400_000;
const ASKED_AT_ONCE = 20;

/** The periodic tasks of payments. What is owed is collected even where payments were switched off. */
export function paymentTasks({ database, logger, metrics, payments }: PaymentRuntime) {
  measurePayments(new PaymentFigures(database), metrics, logger);
  const owed = new OwedCollection(database);
  const collection = { name: 'owed-collection', everyMs: COLLECT_EVERY_MS, run: () => collectOwed(owed) };
  if (payments === null) return [collection];
  const events = new ProviderEventStore(database);
  const { provider, settlement } = payments;
  const eventWork = { events, provider, logger, givenUp: givenUpEvents(metrics) };
  const charges = new AutoTopUpCharges(database, provider.livemode);
  return [
    collection,
    {
      name: 'payment-events',
      everyMs: EVENTS_EVERY_MS,
      isDue: events.isDue,
      run: () => workOffEvents(eventWork),
    },
    {
      name: 'payment-checks',
      everyMs: ASK_EVERY_MS,
      isDue: settlement.isDue,
      run: () => askAboutDue('payment', settlement, logger),
    },
    { name: 'auto-top-ups', everyMs: AUTO_TOP_UP_EVERY_MS, run: () => topUpWallets(charges, logger) },
    {
      name: 'payment-methods',
      everyMs: ASK_EVERY_MS,
      isDue: settlement.methods.isDue,
      run: () => askAboutDue('payment method', settlement.methods, logger),
    },
  ];
}

/** Takes what wallets owe, and gives up what has been owed for 90 days (docs/reference/payments.md#refunds-and-disputes). */
async function collectOwed(
  owed: Pick<OwedCollection, 'collect' | 'writeOffOlderThan'>,
): Promise<{ readonly more: boolean }> {
  const moreToCollect = await owed.collect(WALLETS_AT_ONCE);
  const moreToGiveUp = await owed.writeOffOlderThan(WRITTEN_OFF_AFTER_MS, WRITTEN_OFF_AT_ONCE);
  return { more: moreToCollect || moreToGiveUp };
}

/** Asks the provider about what is due. @param what it is, for the log */
async function askAboutDue(
  what: string,
  settlement: Pick<PaymentSettlement, 'checkDue'>,
  logger: Logger,
): Promise<{ readonly more: boolean }> {
  const { checked, failures } = await settlement.checkDue(ASKED_AT_ONCE);
  for (const failure of failures)
    logger.warn({ err: failure }, `${what} not settled: it is asked about again`);
  return { more: checked === ASKED_AT_ONCE };
}

/** Makes the payments of wallets that are below their thresholds. They are charged by the task that asks about payments. */
async function topUpWallets(
  charges: Pick<AutoTopUpCharges, 'makeDueCharges'>,
  logger: Logger,
): Promise<{ readonly more: boolean }> {
  const failures = await charges.makeDueCharges();
  for (const failure of failures)
    logger.warn({ err: failure }, 'wallet not topped up: it is looked at again');
  return { more: false };
}

/** Gauges of what payments ask of the operator. */
function measurePayments(
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
