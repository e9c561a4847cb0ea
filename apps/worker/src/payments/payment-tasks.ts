import { type PaymentProvider } from '@svc/payments';
import { type Database } from '@svc/database';
import { AutoTopUpCharges, OwedCollection, PaymentFigures, ProviderEventStore } from '@svc/payments/store';
import { type PaymentSettlement } from '@svc/payments/work';
import { type Logger, type Registry } from '@svc/runtime/observability';
import { collectOwed } from './collect-owed';
import { measurePayments } from './measure-payments';
import { topUpWallets } from './top-up-wallets';
import { askAboutMethods, askAboutPayments } from './settle-payments';
import { givenUpEvents, workOffEvents } from './work-off-events';

/** What the worker needs where payments are on. */
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
const ASK_ABOUT_METHODS_EVERY_MS = 1_000;
const COLLECT_EVERY_MS = 5_000;
const AUTO_TOP_UP_EVERY_MS = 5_000;

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
      run: () => askAboutPayments(settlement, logger),
    },
    { name: 'auto-top-ups', everyMs: AUTO_TOP_UP_EVERY_MS, run: () => topUpWallets(charges, logger) },
    {
      name: 'payment-methods',
      everyMs: ASK_ABOUT_METHODS_EVERY_MS,
      isDue: settlement.methods.isDue,
      run: () => askAboutMethods(settlement.methods, logger),
    },
  ];
}
