import { UseInterceptors } from '@nestjs/common';
import { Act, Get, List, Resource, type Call } from '@svc/api';
import { nanosToJson } from '@svc/kernel';
import { OrganizationStore } from '@svc/access/store';
import {
  AutoTopUpEnds,
  AutoTopUpStore,
  PaymentMethodStore,
  PaymentOutcomes,
  PaymentStore,
} from '@svc/payments/store';
import { type Collection } from '../collection';
import { AutoTopUps } from './auto-top-ups';
import { AutoTopUpsController } from './auto-top-ups.controller';
import { PaymentMethodDeletion } from './payment-method-deletion';
import { PaymentMethods } from './payment-methods';
import { PaymentMethodsController } from './payment-methods.controller';
import { payment, presentPayment, receipt } from './payment-schema';
import { Payments } from './payments';
import { PlatformPayments } from './platform-payments';
import { PlatformPaymentsController } from './platform-payments.controller';
import { PrintableReceipt } from './printable-receipt';
import { TopUpsController } from './top-ups.controller';

const ids = { payment_id: 'payment' } as const;

@Resource({
  path: 'payments',
  one: 'Payment',
  many: 'Payments',
  tag: 'Payments',
  description:
    'Top-ups of the wallet, as the payment provider confirms them. Card data never touches this service.',
})
class PaymentsController {
  constructor(private readonly payments: Payments) {}

  @List('', {
    summary: 'The payments, newest first.',
    permission: 'wallet:read',
    scope: null,
    cursor: 'payment',
    item: payment,
  })
  async list({ caller, page }: Call) {
    const { items, hasMore } = await this.payments.list(caller, page);
    return { items: items.map(presentPayment), hasMore };
  }

  @Get(':payment_id', {
    summary: 'One payment.',
    permission: 'wallet:read',
    scope: null,
    ids,
    answer: payment,
  })
  async get({ caller, ids }: Call<{ ids: 'payment_id' }>) {
    return presentPayment(await this.payments.get(caller, ids.payment_id));
  }

  @Get(':payment_id/receipt', {
    summary: 'The receipt of a payment that succeeded.',
    description: 'A printable page where `Accept` has `text/html`. Receipts are numbered without gaps.',
    permission: 'wallet:read',
    scope: null,
    operation: 'getPaymentReceipt',
    ids,
    answer: receipt,
    errors: ['conflict'],
  })
  @UseInterceptors(new PrintableReceipt())
  async receipt({ caller, ids }: Call<{ ids: 'payment_id' }>) {
    const found = await this.payments.receipt(caller, ids.payment_id);
    const { organization, receiptNumber, completedAt } = found;
    return {
      receipt_number: receiptNumber,
      payment_id: found.payment.id,
      organization: { id: organization.id, name: organization.name },
      description: 'Credit',
      amount_nanos: nanosToJson(found.payment.amount),
      currency: found.payment.currency,
      refunded_nanos: nanosToJson(found.payment.refunded),
      livemode: found.payment.livemode,
      completed_at: completedAt.toISOString(),
    };
  }

  @Act(':payment_id/cancel', {
    summary: 'Cancels a payment that was not paid.',
    description: 'It is `cancelled` once the payment provider confirms that it can no longer be paid.',
    permission: 'wallet:write',
    scope: null,
    operation: 'cancelPayment',
    ids,
    answer: payment,
    errors: ['conflict', 'providerError'],
  })
  async cancel({ caller, ids }: Call<{ ids: 'payment_id' }>) {
    return presentPayment(await this.payments.cancel(caller, ids.payment_id));
  }
}

export const payments: Collection = {
  controllers: [
    TopUpsController,
    PaymentsController,
    PaymentMethodsController,
    AutoTopUpsController,
    PlatformPaymentsController,
  ],
  services: [Payments, PaymentMethods, PaymentMethodDeletion, AutoTopUps, PlatformPayments],
  stores: [
    PaymentStore,
    PaymentMethodStore,
    AutoTopUpStore,
    AutoTopUpEnds,
    PaymentOutcomes,
    OrganizationStore,
  ],
};
