import { z } from 'zod';
import { id, nanosAmount, presentTimeOrNull, timestamp } from '@svc/api';
import { nanos, nanosToJson, type Nanos } from '@svc/kernel';
import { TOP_UP_MAX, TOP_UP_MIN } from '@svc/payments';
import { type AutoTopUpRecord } from '@svc/payments/store';
import { type GivenAutoTopUp } from './auto-top-ups';
import { wholeCents } from './payment-schema';

const enabled = () =>
  z.boolean().meta({ description: 'Whether the wallet is topped up by itself.', example: false });
const threshold = () =>
  nanosAmount().nonnegative().meta({
    description: 'The wallet is topped up when less than this is available. Nano-dollars.',
    example: 20_000_000_000,
  });
const amount = () =>
  wholeCents()
    .min(Number(TOP_UP_MIN), 'must be at least 5000000000: 5 dollars')
    .max(Number(TOP_UP_MAX), 'must be at most 25000000000000: 25,000 dollars')
    .meta({
      description: 'Charges are multiples of it. Nano-dollars, in whole cents.',
      example: 50_000_000_000,
    });
const monthlyCap = () =>
  wholeCents().positive().meta({
    description: 'The most that is charged in a calendar month, in UTC. Nano-dollars, in whole cents.',
    example: 500_000_000_000,
  });

export const newAutoTopUp = z
  .strictObject({
    enabled: enabled(),
    threshold_nanos: threshold().nullable().default(null),
    amount_nanos: amount().nullable().default(null),
    monthly_cap_nanos: monthlyCap().nullable().default(null),
    payment_method_id: id('paymentMethod')
      .nullable()
      .optional()
      .meta({ description: 'What is charged. Required where `enabled`.', example: null }),
  })
  .superRefine(({ enabled, payment_method_id: _, ...amounts }, { addIssue }) => {
    const missing = Object.entries(amounts).flatMap(([name, value]) => (value === null ? [name] : []));
    if (!enabled && missing.length === Object.keys(amounts).length) return;
    for (const name of missing) addIssue({ code: 'custom', path: [name], message: 'must be given' });
    const { amount_nanos: least, monthly_cap_nanos: cap } = amounts;
    if (least === null || cap === null || cap >= least) return;
    addIssue({ code: 'custom', path: ['monthly_cap_nanos'], message: 'must be at least amount_nanos' });
  })
  .meta({
    id: 'NewAutoTopUp',
    description:
      'The amounts are given together. Without them, `enabled: false` switches off and keeps the rest as it was.',
    example: {
      enabled: false,
      threshold_nanos: 20_000_000_000,
      amount_nanos: 50_000_000_000,
      monthly_cap_nanos: 500_000_000_000,
      payment_method_id: null,
    },
  });

/** The settings of a body. Null amounts stay as they are, and so does a payment method that is not given. */
export const givenAutoTopUp = (body: z.output<typeof newAutoTopUp>): GivenAutoTopUp => ({
  enabled: body.enabled,
  threshold: nanosOrNull(body.threshold_nanos),
  amount: nanosOrNull(body.amount_nanos),
  monthlyCap: nanosOrNull(body.monthly_cap_nanos),
  paymentMethodId: body.payment_method_id,
});

const nanosOrNull = (amount: number | null): Nanos | null => (amount === null ? null : nanos(amount));

export const autoTopUp = z
  .object({
    enabled: enabled(),
    threshold_nanos: threshold().nullable(),
    amount_nanos: amount().nullable(),
    monthly_cap_nanos: monthlyCap().nullable(),
    payment_method_id: id('paymentMethod').nullable(),
    disabled_reason: z.string().nullable().meta({
      description:
        'Why the service switched it off: `dispute`, `payment_failed`, `authentication_required` or `payment_method_deleted`.',
      example: null,
    }),
    charged_this_month_nanos: nanosAmount().nonnegative().meta({
      description: 'Counts towards `monthly_cap_nanos`.',
      example: 50_000_000_000,
    }),
    retry_at: timestamp().nullable().meta({ description: 'Not charged before, as charges have failed.' }),
  })
  .meta({ id: 'AutoTopUp' });

export const presentAutoTopUp = (
  record: AutoTopUpRecord | null,
  charged: Nanos,
): z.input<typeof autoTopUp> => ({
  enabled: record?.enabled ?? false,
  threshold_nanos: record && nanosToJson(record.threshold),
  amount_nanos: record && nanosToJson(record.amount),
  monthly_cap_nanos: record && nanosToJson(record.monthlyCap),
  payment_method_id: record?.paymentMethodId ?? null,
  disabled_reason: record?.disabledReason ?? null,
  charged_this_month_nanos: nanosToJson(charged),
  retry_at: presentTimeOrNull(record?.retryAt ?? null),
});
