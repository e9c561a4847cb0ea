import { Create, List, Remove, Resource, type Call } from '@svc/api';
import {
  newPaymentMethod,
  newPaymentMethodAnswer,
  paymentMethod,
  presentPaymentMethod,
} from './payment-method-schema';
import { PaymentMethods } from './payment-methods';

const ids = { payment_method_id: 'paymentMethod' } as const;

@Resource({
  path: 'payment-methods',
  one: 'PaymentMethod',
  many: 'PaymentMethods',
  tag: 'Payments',
  description:
    'The cards that the payment provider keeps for automatic top-ups. Their numbers never touch this service.',
})
export class PaymentMethodsController {
  constructor(private readonly methods: PaymentMethods) {}

  @List('', {
    summary: 'The saved payment methods, newest first.',
    permission: 'wallet:read',
    scope: null,
    cursor: 'paymentMethod',
    item: paymentMethod,
  })
  async list({ caller, page }: Call) {
    const { items, hasMore } = await this.methods.list(caller, page);
    return { items: items.map(presentPaymentMethod), hasMore };
  }

  @Create('', {
    summary: 'Begins to save a payment method.',
    description: 'The card is entered at `setup_url`. It is listed once the payment provider confirms it.',
    permission: 'wallet:write',
    scope: null,
    body: newPaymentMethod,
    answer: newPaymentMethodAnswer,
    errors: ['conflict', 'providerError'],
  })
  async create({ caller, body }: Call<{ body: typeof newPaymentMethod }>) {
    const returns = { successUrl: body.success_url ?? null, cancelUrl: body.cancel_url ?? null };
    return { setup_url: await this.methods.setUp(caller, returns) };
  }

  @Remove(':payment_method_id', {
    summary: 'Deletes a payment method, and detaches it at the payment provider.',
    permission: 'wallet:write',
    scope: null,
    ids,
  })
  async remove({ caller, ids }: Call<{ ids: 'payment_method_id' }>) {
    await this.methods.delete(caller, ids.payment_method_id);
  }
}
