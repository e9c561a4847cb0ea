import { Act, ActWith, List, OperatorResource, type Call } from '@svc/api';
import { newRefund, platformPayment, platformPaymentFilters, presentPlatformPayment } from './payment-schema';
import { PlatformPayments } from './platform-payments';

const ids = { payment_id: 'payment' } as const;

@OperatorResource({
  path: 'payments',
  one: 'PlatformPayment',
  many: 'PlatformPayments',
  tag: 'Operator',
  description: 'For the operator of the platform, with the operator’s token.',
})
export class PlatformPaymentsController {
  constructor(private readonly payments: PlatformPayments) {}

  @List('', {
    summary: 'The payments of all organizations, newest first.',
    permission: null,
    scope: null,
    cursor: 'payment',
    query: platformPaymentFilters,
    item: platformPayment,
  })
  async list({ page, query }: Call<{ query: typeof platformPaymentFilters }>) {
    const { items, hasMore } = await this.payments.list(page, query.state);
    return { items: items.map(presentPlatformPayment), hasMore };
  }

  @ActWith(':payment_id/refund', {
    summary: 'Refunds a payment, at most what its wallet has available.',
    description: 'The payment shows it once the payment provider has made it.',
    permission: null,
    scope: null,
    operation: 'refundPayment',
    ids,
    body: newRefund,
    answer: platformPayment,
    errors: ['conflict'],
  })
  async refund({ caller, ids, body }: Call<{ ids: 'payment_id'; body: typeof newRefund }>) {
    const refund = { amountNanos: body.amount_nanos ?? null, reason: body.reason };
    return presentPlatformPayment(await this.payments.refund(caller, ids.payment_id, refund));
  }

  @Act(':payment_id/accept', {
    summary: 'Credits a payment in review with what was asked for.',
    permission: null,
    scope: null,
    operation: 'acceptPayment',
    ids,
    answer: platformPayment,
    errors: ['conflict'],
  })
  async accept({ caller, ids }: Call<{ ids: 'payment_id' }>) {
    return presentPlatformPayment(await this.payments.accept(caller, ids.payment_id));
  }

  @Act(':payment_id/dismiss', {
    summary: 'Closes a payment in review without credit.',
    permission: null,
    scope: null,
    operation: 'dismissPayment',
    ids,
    answer: platformPayment,
    errors: ['conflict'],
  })
  async dismiss({ caller, ids }: Call<{ ids: 'payment_id' }>) {
    return presentPlatformPayment(await this.payments.dismiss(caller, ids.payment_id));
  }
}
