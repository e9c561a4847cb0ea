import { Refusal } from '../refusal';
import { newObjectId, type Metadata, type PaymentMethod, type SetupSession } from './stripe-objects';
import { type StripeWebhook } from './stripe-webhook';

interface NewSetupSession {
  readonly customer: string;
  readonly metadata: Metadata;
  readonly successUrl: string;
  readonly cancelUrl: string | null;
}

/** Far enough that no card of a long run expires. */
const YEARS_VALID = 4;

/** Customers, their cards, and the checkouts in which a card is entered. There are no numbers: nobody enters one. */
export class StripeCards {
  private readonly customers = new Set<string>();
  private readonly setups = new Map<string, SetupSession>();
  private readonly methods = new Map<string, PaymentMethod>();

  constructor(private readonly webhook: StripeWebhook) {}

  newCustomer(metadata: Metadata): object {
    const id = newObjectId('cus');
    this.customers.add(id);
    return { id, object: 'customer', livemode: false, metadata };
  }

  open(
    { customer, metadata, successUrl, cancelUrl }: NewSetupSession,
    pageUrl: (id: string) => string,
  ): SetupSession {
    this.requireCustomer(customer);
    const id = newObjectId('cs_test');
    const setup: SetupSession = {
      id,
      object: 'checkout.session',
      mode: 'setup',
      status: 'open',
      livemode: false,
      metadata,
      url: pageUrl(id),
      success_url: successUrl,
      cancel_url: cancelUrl,
      customer,
      setup_intent: {
        id: newObjectId('seti'),
        object: 'setup_intent',
        status: 'requires_payment_method',
        payment_method: null,
      },
    };
    this.setups.set(id, setup);
    return setup;
  }

  /** @returns undefined for a checkout in which something is paid, and for an unknown one. */
  setup(id: string): SetupSession | undefined {
    return this.setups.get(id);
  }

  save(setup: SetupSession): void {
    if (setup.status !== 'open') return;
    Object.assign(setup.setup_intent, { status: 'succeeded', payment_method: this.newCard(setup.customer) });
    Object.assign(setup, { status: 'complete', url: null });
    this.webhook.send([
      ['setup_intent.succeeded', setup.setup_intent],
      ['checkout.session.completed', setup],
    ]);
  }

  /** A card that a customer keeps. @throws Refusal for an unknown customer. */
  newCard(customer: string): PaymentMethod {
    this.requireCustomer(customer);
    const exp_year = new Date().getFullYear() + YEARS_VALID;
    const card: PaymentMethod = {
      id: newObjectId('pm'),
      object: 'payment_method',
      type: 'card',
      customer,
      card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year },
    };
    this.methods.set(card.id, card);
    return card;
  }

  /** @throws Refusal for one that the customer does not have, or has no more. */
  cardOf(customer: string, id: string): PaymentMethod {
    const found = this.methods.get(id);
    if (found === undefined) throw missing('PaymentMethod', id);
    if (found.customer !== customer) {
      throw new Refusal(400, 'The payment method does not belong to the customer.');
    }
    return found;
  }

  /** @throws Refusal for one that is not attached. */
  detach(id: string): PaymentMethod {
    const found = this.methods.get(id);
    if (found === undefined) throw missing('PaymentMethod', id);
    if (found.customer === null) {
      throw new Refusal(
        400,
        'The payment method is not attached to a customer, so detachment is impossible.',
      );
    }
    found.customer = null;
    this.webhook.send([['payment_method.detached', found]]);
    return found;
  }

  private requireCustomer(id: string): void {
    if (!this.customers.has(id)) throw missing('customer', id);
  }
}

const missing = (what: string, id: string): Refusal =>
  new Refusal(404, `No such ${what}: '${id}'`, { code: 'resource_missing' });
