import { type PaymentProvider } from '../rules/provider';
import { type PaymentSettings } from './payment-settings';
import { StripeProvider } from './stripe-provider';

/** Above it a question counts as unanswered. */
const ANSWER_WITHIN_MS = 10_000;

/** Loads the library: a service without payments never does. */
export async function openStripe(settings: PaymentSettings): Promise<PaymentProvider> {
  const { default: Stripe } = await import('stripe');
  const stripe = new Stripe(settings.secretKey, {
    timeout: ANSWER_WITHIN_MS,
    // Asking again is the worker's, which commits before it asks.
    maxNetworkRetries: 0,
    telemetry: false,
    ...(settings.apiUrl === null ? {} : addressOf(new URL(settings.apiUrl))),
  });
  return new StripeProvider(stripe, settings);
}

const addressOf = ({ hostname, port, protocol }: URL) => {
  const scheme = protocol === 'http:' ? ('http' as const) : ('https' as const);
  return {
    host: hostname,
    port: port === '' ? (scheme === 'http' ? 80 : 443) : Number(port),
    protocol: scheme,
  };
};
