import { type AutoTopUpCharges } from '@svc/payments/store';
import { type Logger } from '@svc/runtime/observability';

/** Makes the payments of wallets that are below their thresholds. They are charged by the task that asks about payments. */
export async function topUpWallets(
  charges: Pick<AutoTopUpCharges, 'make'>,
  logger: Logger,
): Promise<{ readonly more: boolean }> {
  const failures = await charges.make();
  for (const failure of failures)
    logger.warn({ err: failure }, 'wallet not topped up: it is looked at again');
  return { more: false };
}
