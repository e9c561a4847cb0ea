import { variables } from '@svc/platform';
import { z } from 'zod';

/** The variables of payments (docs/configuration.md#variables). */
export const paymentVariables = {
  SVC_PAYMENTS: z.enum(['off', 'test', 'stripe'], 'must be off, test or stripe').default('off'),
  SVC_STRIPE_SECRET_KEY: variables.secret(8).optional(),
  SVC_STRIPE_WEBHOOK_SECRET: variables.secret(8).optional(),
  SVC_STRIPE_API_URL: variables.url(['http', 'https']).optional(),
  SVC_PAYMENT_RECONCILE_SECONDS: variables.secondsOfDay.default(600),
};

type PaymentConfig = z.output<z.ZodObject<typeof paymentVariables>>;

/** How to reach the provider. */
export interface PaymentSettings {
  readonly mode: 'test' | 'stripe';
  readonly secretKey: string;
  /** Those that a webhook may be signed with: two while one replaces the other. */
  readonly webhookSecrets: readonly string[];
  /** Null: Stripe's own. */
  readonly apiUrl: string | null;
}

/** What the simulator signs with. It proves nothing, and need not: an event is only a reason to ask. */
const TEST_MODE = { secretKey: 'sk_test_simulator', webhookSecret: 'whsec_simulator' };

/** @param simulatorUrl where the simulator plays Stripe in test mode. @returns null where payments are off. */
export function paymentSettings(
  config: PaymentConfig,
  simulatorUrl: string | undefined,
): PaymentSettings | null {
  if (config.SVC_PAYMENTS === 'off') return null;
  if (config.SVC_PAYMENTS === 'test') {
    const { secretKey, webhookSecret } = TEST_MODE;
    const apiUrl = config.SVC_STRIPE_API_URL ?? simulatorUrl ?? null;
    return { mode: 'test', secretKey, webhookSecrets: [webhookSecret], apiUrl };
  }
  return {
    mode: 'stripe',
    secretKey: config.SVC_STRIPE_SECRET_KEY ?? '',
    webhookSecrets: (config.SVC_STRIPE_WEBHOOK_SECRET ?? '').split(','),
    apiUrl: config.SVC_STRIPE_API_URL ?? null,
  };
}

type Payments = Pick<PaymentConfig, 'SVC_PAYMENTS' | 'SVC_STRIPE_SECRET_KEY' | 'SVC_STRIPE_WEBHOOK_SECRET'>;

/** Refuses `stripe` without its secrets. For `superRefine` of a service's schema. */
export function checkPaymentVariables(config: Payments, context: z.RefinementCtx): void {
  if (config.SVC_PAYMENTS !== 'stripe') return;
  for (const name of ['SVC_STRIPE_SECRET_KEY', 'SVC_STRIPE_WEBHOOK_SECRET'] as const) {
    if (config[name] !== undefined) continue;
    context.addIssue({ code: 'custom', path: [name], message: 'is required with SVC_PAYMENTS=stripe' });
  }
}
