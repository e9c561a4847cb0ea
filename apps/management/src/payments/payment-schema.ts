import { z } from 'zod';
import { id, line, nanosAmount, presenter, timestamp } from '@svc/api';
import { CENT, paymentStates, TOP_UP_MAX, TOP_UP_MIN } from '@svc/payments';
import { nanosToJson } from '@svc/kernel';
import { type PaymentRecord } from '@svc/payments/store';

/** Checkouts of an organization that can still be paid. */
export const OPEN_TOP_UPS_MAX = 100;
const REASON_MAX = 500;
const IDEMPOTENCY_KEY_MAX = 255;
const URL_MAX = 2_000;

export const wholeCents = () =>
  nanosAmount()
    .multipleOf(Number(CENT), 'must be whole cents: a multiple of 10000000')
    .meta({ description: 'Nano-dollars, in whole cents.', example: 50_000_000_000 });

const paymentState = z.enum(paymentStates).meta({ example: 'succeeded' });

export const returnUrl = (when: string) =>
  z
    .url({ protocol: /^https?$/ })
    .max(URL_MAX)
    .optional()
    .meta({
      description: `Where the payer comes back to ${when}: \`https\`, or on the base URL of this service.`,
      example: 'https://example.com/billing',
    });

export const newTopUp = z
  .strictObject({
    amount_nanos: wholeCents()
      .min(Number(TOP_UP_MIN), 'must be at least 5000000000: 5 dollars')
      .max(Number(TOP_UP_MAX), 'must be at most 25000000000000: 25,000 dollars'),
    success_url: returnUrl('after paying'),
    cancel_url: returnUrl('without paying'),
    save_payment_method: z.boolean().default(false).meta({
      description: 'Whether the provider keeps the card, for automatic top-ups.',
      example: false,
    }),
  })
  .meta({ id: 'NewTopUp' });

export const topUpHeaders = {
  'Idempotency-Key': z.string().min(1).max(IDEMPOTENCY_KEY_MAX).optional().meta({
    description: 'For 24 hours a retry with the same key and body answers with the same payment.',
    example: 'top-up-2026-11',
  }),
};

const checkoutUrl = () =>
  z.string().nullable().meta({
    description: 'Where to pay. Null unless the payment is `pending`, or failed and can still be paid.',
    example: 'https://checkout.stripe.com/c/pay/cs_1',
  });

export const payment = z
  .object({
    id: id('payment'),
    organization_id: id('organization'),
    kind: z
      .enum(['checkout', 'auto'])
      .meta({ description: '`checkout`: a person pays on the provider’s page.' }),
    amount_nanos: wholeCents(),
    currency: z.string().meta({ example: 'usd' }),
    state: paymentState,
    livemode: z.boolean().meta({ description: 'False: no money moves.', example: true }),
    provider_reference: z
      .string()
      .nullable()
      .meta({ description: 'The provider’s id of the checkout.', example: 'cs_1' }),
    failure_code: z.string().nullable().meta({ description: 'The provider’s code.', example: null }),
    credit_grant_id: id('creditGrant').nullable(),
    refunded_nanos: nanosAmount().nonnegative().meta({ description: 'Refunded to the payer.', example: 0 }),
    disputed_nanos: nanosAmount()
      .nonnegative()
      .meta({ description: 'Withdrawn by disputes, without what came back.', example: 0 }),
    clawed_back_nanos: nanosAmount()
      .nonnegative()
      .meta({ description: 'Taken from the wallet for refunds and disputes.', example: 0 }),
    receipt_number: z.string().nullable().meta({ example: 'R-000042' }),
    checkout_url: checkoutUrl(),
    created_by: z
      .object({ type: z.string(), id: z.string().nullable() })
      .meta({ example: { type: 'user', id: 'usr_06dpm2q4x8k3c0v9r7t5w1hzny' } }),
    created_at: timestamp(),
    completed_at: timestamp().nullable(),
  })
  .meta({ id: 'Payment' });

export const newTopUpAnswer = z.object({ payment, checkout_url: checkoutUrl() }).meta({ id: 'TopUp' });

export const receipt = z
  .object({
    receipt_number: z.string().meta({ example: 'R-000042' }),
    payment_id: id('payment'),
    organization: z
      .object({ id: id('organization'), name: z.string() })
      .meta({ example: { id: 'org_06dpm2q4x8k3c0v9r7t5w1hzny', name: 'Acme' } }),
    description: z.string().meta({ example: 'Credit' }),
    amount_nanos: wholeCents(),
    currency: z.string().meta({ example: 'usd' }),
    refunded_nanos: nanosAmount().nonnegative().meta({ description: 'Refunded since.', example: 0 }),
    livemode: z.boolean().meta({ description: 'False: no money moved.', example: true }),
    completed_at: timestamp(),
  })
  .meta({ id: 'Receipt' });

export const platformPayment = payment
  .extend({
    review_reason: z
      .string()
      .nullable()
      .meta({ description: 'What differs from what was asked for.', example: 'amount' }),
    owed_nanos: nanosAmount()
      .nonnegative()
      .meta({ description: 'Still to be taken from the wallet.', example: 0 }),
    written_off_nanos: nanosAmount().nonnegative().meta({ description: 'Given up.', example: 0 }),
  })
  .meta({ id: 'PlatformPayment' });

export const platformPaymentFilters = {
  state: paymentState.optional().meta({ description: 'Only payments in this state.', example: 'review' }),
};

export const newRefund = z
  .strictObject({
    amount_nanos: wholeCents().positive().optional().meta({
      description: 'Nano-dollars, in whole cents. Without it, all that is left of the payment.',
    }),
    reason: line(REASON_MAX).meta({ example: 'Paid twice' }),
  })
  .meta({ id: 'NewRefund' });

const computed = {
  amount_nanos: ({ amount }: PaymentRecord) => nanosToJson(amount),
  refunded_nanos: ({ refunded }: PaymentRecord) => nanosToJson(refunded),
  disputed_nanos: ({ reinstated, withdrawn }: PaymentRecord) =>
    Math.max(0, nanosToJson(withdrawn) - nanosToJson(reinstated)),
  clawed_back_nanos: ({ taken }: PaymentRecord) => nanosToJson(taken),
};

export const presentPayment = presenter<typeof payment, PaymentRecord>(payment, computed);

export const presentPlatformPayment = presenter<typeof platformPayment, PaymentRecord>(platformPayment, {
  ...computed,
  owed_nanos: ({ owed }) => nanosToJson(owed),
  written_off_nanos: ({ writtenOff }) => nanosToJson(writtenOff),
});
