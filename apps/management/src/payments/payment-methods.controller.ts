import { Create, Get, List, Remove, Resource, type Call } from '@svc/api';
import {
  newPaymentMethod,
  newPaymentMethodAnswer,
  paymentMethod,
  presentPaymentMethod,
} from './payment-method-schema';
import { PaymentMethodDeletion } from './payment-method-deletion';
import { METHODS_MAX, PaymentMethods } from './payment-methods';

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
  constructor(
    private readonly methods: PaymentMethods,
    private readonly deletion: PaymentMethodDeletion,
  ) {}

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

  @Get(':payment_method_id', {
    summary: 'One payment method.',
    permission: 'wallet:read',
    scope: null,
    ids,
    answer: paymentMethod,
  })
  async get({ caller, ids }: Call<{ ids: 'payment_method_id' }>) {
    return presentPaymentMethod(await this.methods.get(caller, ids.payment_method_id));
  }

  @Create('', {
    summary: 'Begins to save a payment method.',
    description:
      'The card is entered at `setup_url`. It is listed once the payment provider confirms it. An organization has at most ' +
      `${String(METHODS_MAX)} payment methods.`,
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
    await this.deletion.delete(caller, ids.payment_method_id);
  }
}
