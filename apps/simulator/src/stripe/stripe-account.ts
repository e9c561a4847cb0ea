import { Refusal } from '../refusal';
import { newObjectId, type Dispute, type PaymentMethod, type Refund, type Session } from './stripe-objects';
import { type StripeCards } from './stripe-cards';
import { type StripeWebhook } from './stripe-webhook';

/** A payment that differs from what was asked for. */
export interface Alteration {
  readonly amount?: number;
  readonly currency?: string;
  readonly livemode?: boolean;
}

export interface NewSession {
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly successUrl: string;
  readonly cancelUrl: string | null;
  readonly customer: string | null;
  /** True where the customer keeps the card. */
  readonly isSaved: boolean;
}

/** Result of an off-session charge: none for the money. */
export type Outcome = 'pay' | 'decline' | 'authentication_required';

export interface NewCharge {
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly customer: string;
  readonly card: PaymentMethod;
}

/** One account of the simulated Stripe, kept in memory. No money moves. */
export class StripeAccount {
  private readonly sessions = new Map<string, Session>();
  private readonly disputes = new Map<string, Dispute[]>();
  /** The answers to questions with an idempotency key. */
  private readonly answers = new Map<string, object>();
  alteration: Alteration = {};

  /** Of charges without their payer, from now on. */
  offSession: Outcome = 'pay';

  constructor(
    private readonly webhook: StripeWebhook,
    private readonly cards: StripeCards,
  ) {}

  /** The first answer again, as it was, to a question that is repeated. */
  once(idempotencyKey: string | undefined, make: () => object): object {
    if (idempotencyKey === undefined) return make();
    const answer = this.answers.get(idempotencyKey) ?? structuredClone(make());
    this.answers.set(idempotencyKey, answer);
    return answer;
  }

  open(
    { amount, currency, metadata, successUrl, cancelUrl, customer, isSaved }: NewSession,
    pageUrl: (id: string) => string,
  ): Session {
    const id = newObjectId('cs_test');
    const session: Session = {
      id,
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      amount_total: amount,
      currency,
      livemode: false,
      metadata,
      url: pageUrl(id),
      success_url: successUrl,
      cancel_url: cancelUrl,
      customer,
      payment_intent: {
        id: newObjectId('pi'),
        object: 'payment_intent',
        status: 'requires_payment_method',
        amount,
        amount_received: 0,
        currency,
        livemode: false,
        metadata,
        last_payment_error: null,
        latest_charge: null,
        setup_future_usage: isSaved ? 'off_session' : null,
        payment_method: null,
      },
    };
    this.sessions.set(id, session);
    return session;
  }

  /** @throws Refusal for an unknown one. */
  session(id: string): Session {
    const found = this.sessions.get(id);
    if (found === undefined) throw missing('checkout.session', id);
    return found;
  }

  pay(session: Session): void {
    if (session.status !== 'open') return;
    const { amount = session.amount_total, currency = session.currency, livemode = false } = this.alteration;
    const intent = session.payment_intent;
    Object.assign(intent, { status: 'succeeded', amount_received: amount, currency, livemode });
    intent.last_payment_error = null;
    intent.latest_charge = {
      id: newObjectId('ch'),
      object: 'charge',
      amount,
      amount_refunded: 0,
      payment_intent: intent.id,
      metadata: intent.metadata,
      livemode,
    };
    Object.assign(session, { status: 'complete', payment_status: 'paid', url: null, currency, livemode });
    if (intent.setup_future_usage !== null && session.customer !== null) {
      intent.payment_method = this.cards.newCard(session.customer);
    }
    this.webhook.send([
      ['charge.succeeded', intent.latest_charge],
      ['payment_intent.succeeded', intent],
      ['checkout.session.completed', session],
    ]);
  }

  /** Charges a card without its payer. It is kept as a checkout that nobody sees, so that refunds and disputes find it. */
  charge({ card, customer, ...asked }: NewCharge): Session {
    const hidden = { successUrl: '', cancelUrl: null, customer, isSaved: false };
    const session = this.open({ ...asked, ...hidden }, () => '');
    session.payment_intent.payment_method = card;
    if (this.offSession === 'pay') this.pay(session);
    else this.decline(session, this.offSession === 'decline' ? 'generic_decline' : this.offSession);
    return session;
  }

  /** Ends a payment that nobody has paid. @throws Refusal for a paid one. */
  cancelIntent(session: Session): Session {
    const intent = session.payment_intent;
    if (intent.status === 'succeeded') throw new Refusal(400, 'The payment has succeeded.');
    intent.status = 'canceled';
    session.status = 'expired';
    this.webhook.send([['payment_intent.canceled', intent]]);
    return session;
  }

  decline(session: Session, reason = 'generic_decline'): void {
    if (session.status !== 'open') return;
    const code = reason === 'authentication_required' ? reason : 'card_declined';
    const error = { type: 'card_error', code, decline_code: reason };
    session.payment_intent.last_payment_error = error;
    this.webhook.send([['payment_intent.payment_failed', session.payment_intent]]);
  }

  /** @throws Refusal for one that is not open. */
  expire(session: Session): Session {
    if (session.status !== 'open') {
      throw new Refusal(400, 'Only Checkout Sessions with a status of open can be expired.');
    }
    Object.assign(session, { status: 'expired', url: null });
    this.webhook.send([['checkout.session.expired', session]]);
    return session;
  }

  /** @throws Refusal for an unknown payment. */
  byIntent(intentId: string): Session {
    const found = [...this.sessions.values()].find(({ payment_intent }) => payment_intent.id === intentId);
    if (found === undefined) throw missing('payment_intent', intentId);
    return found;
  }

  /** @throws Refusal for an unknown payment. */
  byPayment(paymentId: string): Session {
    const found = [...this.sessions.values()].find(({ metadata }) => metadata['payment_id'] === paymentId);
    if (found === undefined) throw missing('payment', paymentId);
    return found;
  }

  /** @throws Refusal for more than is left of the charge. */
  refund({ payment_intent: intent }: Session, amount: number): Refund {
    const charge = intent.latest_charge;
    if (charge === null || charge.amount_refunded + amount > charge.amount) {
      const code = 'charge_already_refunded';
      throw new Refusal(400, 'The refund is greater than what is left of the charge.', { code });
    }
    charge.amount_refunded += amount;
    const refund: Refund = {
      id: newObjectId('re'),
      object: 'refund',
      amount,
      payment_intent: intent.id,
      status: 'succeeded',
    };
    this.webhook.send([
      ['charge.refunded', charge],
      ['refund.created', refund],
    ]);
    return refund;
  }

  disputesOf(intentId: string): readonly Dispute[] {
    return this.disputes.get(intentId) ?? [];
  }

  /** Takes the money at once, as card networks do. @throws Refusal for a payment without a charge. */
  dispute({ payment_intent: intent }: Session, amount: number): Dispute {
    if (intent.latest_charge === null) throw missing('charge', intent.id);
    const dispute: Dispute = {
      id: newObjectId('dp'),
      object: 'dispute',
      amount,
      status: 'needs_response',
      payment_intent: intent.id,
      balance_transactions: [{ id: newObjectId('txn'), amount: -amount }],
    };
    this.disputes.set(intent.id, [...this.disputesOf(intent.id), dispute]);
    this.webhook.send([['charge.dispute.funds_withdrawn', dispute]]);
    return dispute;
  }

  /** Ends the last dispute of a payment. @throws Refusal where none is open. */
  endDispute({ payment_intent: { id } }: Session, status: 'won' | 'lost'): Dispute {
    const dispute = this.disputesOf(id).find((one) => one.status === 'needs_response');
    if (dispute === undefined) throw missing('dispute', id);
    dispute.status = status;
    if (status === 'won') {
      dispute.balance_transactions.push({ id: newObjectId('txn'), amount: dispute.amount });
      this.webhook.send([['charge.dispute.funds_reinstated', dispute]]);
    }
    this.webhook.send([['charge.dispute.closed', dispute]]);
    return dispute;
  }
}

const missing = (what: string, id: string): Refusal =>
  new Refusal(404, `No such ${what}: '${id}'`, { code: 'resource_missing' });
