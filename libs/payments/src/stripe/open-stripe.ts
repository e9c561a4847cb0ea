import { type PaymentProvider } from '../rules/provider';
import { type PaymentSettings } from './payment-settings';
import { StripeProvider } from './stripe-provider';

/** Above it a question counts as unanswered. */
const ANSWER_WITHIN_MS = 10_000;

/**
 * Loads the library: a service without payments never does.
 * @param settingsOf the settings as they are now: secrets may be replaced while the service runs.
 */
export async function openStripe(settingsOf: () => PaymentSettings): Promise<PaymentProvider> {
  const { default: Stripe } = await import('stripe');
  const clientOf = ({ secretKey, apiUrl }: PaymentSettings) =>
    new Stripe(secretKey, {
      timeout: ANSWER_WITHIN_MS,
      // Asking again is the worker's, which commits before it asks.
      maxNetworkRetries: 0,
      telemetry: false,
      ...(apiUrl === null ? {} : addressOf(new URL(apiUrl))),
    });
  let settings = settingsOf();
  let stripe = clientOf(settings);
  return new StripeProvider(() => {
    const now = settingsOf();
    if (now.secretKey !== settings.secretKey) stripe = clientOf(now);
    settings = now;
    return { stripe, settings };
  });
}

const addressOf = ({ hostname, port, protocol }: URL) => {
  const scheme = protocol === 'http:' ? ('http' as const) : ('https' as const);
  return {
    host: hostname,
    port: port === '' ? (scheme === 'http' ? 80 : 443) : Number(port),
    protocol: scheme,
  };
};
