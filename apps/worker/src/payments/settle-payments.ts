import { type PaymentProvider } from '@svc/payments';
import {
  type PaymentMethodSettlement,
  type PaymentSettlement,
  type ProviderEventStore,
} from '@svc/persistence';
import { type Logger } from '@svc/platform';

const EVENTS_AT_ONCE = 500;
const UNMATCHED_AT_ONCE = 20;
const PAYMENTS_AT_ONCE = 20;
const METHODS_AT_ONCE = 20;

/**
 * Makes the payments due that stored events name. An event that names none, such as that of a dispute, is looked up at the
 * provider.
 */
export async function workOffEvents(
  events: Pick<ProviderEventStore, 'nudge' | 'listUnmatched' | 'match'>,
  provider: Pick<PaymentProvider, 'paymentIdOf'>,
): Promise<{ readonly more: boolean }> {
  const nudged = await events.nudge(EVENTS_AT_ONCE);
  for (const { id, intentReference } of await events.listUnmatched(UNMATCHED_AT_ONCE)) {
    await events.match(id, intentReference === null ? null : await provider.paymentIdOf(intentReference));
  }
  return { more: nudged === EVENTS_AT_ONCE };
}

/** Asks the provider about payments that are due. */
export async function askAboutPayments(
  settlement: Pick<PaymentSettlement, 'checkDue'>,
  logger: Logger,
): Promise<{ readonly more: boolean }> {
  const { checked, failures } = await settlement.checkDue(PAYMENTS_AT_ONCE);
  for (const failure of failures)
    logger.warn({ err: failure }, 'payment not settled: it is asked about again');
  return { more: checked === PAYMENTS_AT_ONCE };
}

/** Asks the provider about cards that are due. */
export async function askAboutMethods(
  methods: Pick<PaymentMethodSettlement, 'checkDue'>,
  logger: Logger,
): Promise<{ readonly more: boolean }> {
  const { checked, failures } = await methods.checkDue(METHODS_AT_ONCE);
  for (const failure of failures)
    logger.warn({ err: failure }, 'payment method not settled: it is asked about again');
  return { more: checked === METHODS_AT_ONCE };
}
