import { type PaymentMethodSettlement, type PaymentSettlement } from '@svc/payments/work';
import { type Logger } from '@svc/runtime/observability';

const PAYMENTS_AT_ONCE = 20;
const METHODS_AT_ONCE = 20;

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
