import { variables } from '@svc/runtime/config';
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

/** The simulator takes any. */
const TEST_SECRET_KEY = 'sk_test_simulator';

/** The simulator that plays Stripe in test mode. */
interface SimulatedStripe {
  readonly url: string | undefined;
  /** The secret that it signs events with, where the installation has made that itself. */
  readonly webhookSecret?: string;
}

/** @returns null where payments are off. */
export function paymentSettings(config: PaymentConfig, simulator: SimulatedStripe): PaymentSettings | null {
  const { SVC_PAYMENTS: mode, SVC_STRIPE_WEBHOOK_SECRET: given, SVC_STRIPE_API_URL: apiUrl } = config;
  if (mode === 'off') return null;
  if (mode === 'test') {
    const secrets = given ?? simulator.webhookSecret;
    return {
      mode,
      secretKey: TEST_SECRET_KEY,
      webhookSecrets: secretsIn(secrets),
      apiUrl: apiUrl ?? simulator.url ?? null,
    };
  }
  return {
    mode,
    secretKey: config.SVC_STRIPE_SECRET_KEY ?? '',
    webhookSecrets: secretsIn(given),
    apiUrl: apiUrl ?? null,
  };
}

/** None: no event is taken, and payments are asked about at times. */
const secretsIn = (secrets: string | undefined): readonly string[] =>
  secrets?.split(',').filter((secret) => secret !== '') ?? [];

type Payments = Pick<PaymentConfig, 'SVC_PAYMENTS' | 'SVC_STRIPE_SECRET_KEY' | 'SVC_STRIPE_WEBHOOK_SECRET'>;

/** Refuses `stripe` without its secrets. For `superRefine` of a service's schema. */
export function checkPaymentVariables(config: Payments, context: z.RefinementCtx): void {
  if (config.SVC_PAYMENTS !== 'stripe') return;
  for (const name of ['SVC_STRIPE_SECRET_KEY', 'SVC_STRIPE_WEBHOOK_SECRET'] as const) {
    if (config[name] !== undefined) continue;
    context.addIssue({ code: 'custom', path: [name], message: 'is required with SVC_PAYMENTS=stripe' });
  }
}
