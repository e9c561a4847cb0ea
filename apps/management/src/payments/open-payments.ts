import { GatewayError } from '@svc/kernel';
import { ProviderUnavailable } from '@svc/payments';
import { type OpenPayments } from '../runtime';

/** @throws GatewayError `conflict` where payments are off: credit then comes from the operator. */
export function requirePayments(payments: OpenPayments | null): OpenPayments {
  if (payments !== null) return payments;
  throw new GatewayError('conflict', 'Payments are off here: the operator of this service grants credit.');
}

/** @throws GatewayError `providerError` where the provider does not answer. The payment is asked about again later. */
export async function answeredByProvider<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((error: unknown) => {
    if (!(error instanceof ProviderUnavailable)) throw error;
    throw new GatewayError('providerError', 'The payment provider did not answer. Try again.', {
      cause: error,
    });
  });
}
