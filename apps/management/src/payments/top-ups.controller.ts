import { Create, Resource, type Call } from '@svc/api';
import { OPEN_TOP_UPS_MAX, newTopUp, newTopUpAnswer, presentPayment, topUpHeaders } from './payment-schema';
import { Payments } from './payments';

@Resource({
  path: 'wallet/top-ups',
  one: 'TopUp',
  many: 'TopUps',
  tag: 'Payments',
  description: 'Payments into the wallet.',
})
export class TopUpsController {
  constructor(private readonly payments: Payments) {}

  @Create('', {
    summary: 'Begins a top-up of the wallet.',
    description:
      'The payer pays at `checkout_url`, within 24 hours. The wallet is credited once the payment provider confirms it. While ' +
      'the provider is out of reach, the answer is `provider_error`, and a retry with the same `Idempotency-Key` goes on with ' +
      `the same payment. An organization has at most ${String(OPEN_TOP_UPS_MAX)} top-ups that can still be paid.`,
    permission: 'wallet:write',
    scope: null,
    approval: 'payment.create',
    headers: topUpHeaders,
    body: newTopUp,
    answer: newTopUpAnswer,
    errors: ['idempotencyKeyReused', 'conflict', 'providerError'],
  })
  async create({ caller, body, headers }: Call<{ body: typeof newTopUp; headers: typeof topUpHeaders }>) {
    const payment = await this.payments.topUp(caller, {
      amountNanos: body.amount_nanos,
      successUrl: body.success_url ?? null,
      cancelUrl: body.cancel_url ?? null,
      savePaymentMethod: body.save_payment_method,
      idempotencyKey: headers['Idempotency-Key'] ?? null,
    });
    return { payment: presentPayment(payment), checkout_url: payment.checkoutUrl };
  }
}
