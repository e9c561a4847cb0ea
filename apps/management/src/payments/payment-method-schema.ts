import { z } from 'zod';
import { id, presenter, timestamp } from '@svc/api';
import { type PaymentMethodRecord } from '@svc/payments/store';
import { returnUrl } from './payment-schema';

export const newPaymentMethod = z
  .strictObject({
    success_url: returnUrl('once the card is saved'),
    cancel_url: returnUrl('without saving it'),
  })
  .meta({ id: 'NewPaymentMethod' });

export const newPaymentMethodAnswer = z
  .object({
    setup_url: z.string().meta({
      description: 'The provider’s page on which the card is entered, for 24 hours.',
      example: 'https://checkout.stripe.com/c/pay/cs_1',
    }),
  })
  .meta({ id: 'PaymentMethodSetup' });

export const paymentMethod = z
  .object({
    id: id('paymentMethod'),
    brand: z.string().meta({ description: 'As the payment provider names it.', example: 'visa' }),
    last4: z.string().meta({ description: 'The last four digits.', example: '4242' }),
    exp_month: z.int().meta({ example: 12 }),
    exp_year: z.int().meta({ example: 2030 }),
    livemode: z.boolean().meta({ description: 'False: no money moves.', example: true }),
    created_at: timestamp(),
  })
  .meta({ id: 'PaymentMethod' });

export const presentPaymentMethod = presenter<typeof paymentMethod, PaymentMethodRecord>(paymentMethod, {});
