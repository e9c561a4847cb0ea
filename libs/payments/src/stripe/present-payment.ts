import type Stripe from 'stripe';
import { type ProviderPayment } from '../rules/provider';
import { presentCard } from './present-card';

/** Fields of the session that {@link presentPayment} needs expanded. https://docs.stripe.com/api/expanding_objects */
export const EXPANDED = ['payment_intent.latest_charge', 'payment_intent.payment_method'];

/** Fields of the payment that {@link presentIntent} needs expanded. */
export const INTENT_EXPANDED = ['latest_charge'];

/** A charge without its payer as it is now. https://docs.stripe.com/payments/paymentintents/lifecycle */
export function presentIntent(
  intent: Stripe.PaymentIntent,
  disputes: readonly Stripe.Dispute[],
): ProviderPayment {
  const isPaid = intent.status === 'succeeded';
  const isOpen = intent.status === 'processing' || intent.status === 'requires_capture';
  return {
    reference: intent.id,
    intentReference: intent.id,
    paymentId: intent.metadata['payment_id'] ?? null,
    standing: isPaid ? 'paid' : isOpen ? 'open' : 'ended',
    amountCents: BigInt(isPaid ? intent.amount_received : intent.amount),
    currency: intent.currency,
    livemode: intent.livemode,
    failureCode: isPaid || isOpen ? null : (failureOf(intent) ?? unconfirmed(intent)),
    checkoutUrl: null,
    ...paidBackOf(intent, disputes),
    savedCard: null,
  };
}

/** Nobody is there to confirm it. */
const unconfirmed = ({ status }: Stripe.PaymentIntent): string | null =>
  status === 'requires_action' ? 'authentication_required' : null;

function paidBackOf(intent: Stripe.PaymentIntent | null, disputes: readonly Stripe.Dispute[]) {
  const charge = typeof intent?.latest_charge === 'object' ? intent.latest_charge : null;
  const moved = disputes.flatMap(({ balance_transactions }) =>
    balance_transactions.map(({ amount }) => amount),
  );
  return {
    refundedCents: BigInt(charge?.amount_refunded ?? 0),
    withdrawnCents: sumOf(moved.filter((amount) => amount < 0).map((amount) => -amount)),
    reinstatedCents: sumOf(moved.filter((amount) => amount > 0)),
  };
}

/** A checkout as it is now. https://docs.stripe.com/api/checkout/sessions/object */
export function presentPayment(
  session: Stripe.Checkout.Session,
  disputes: readonly Stripe.Dispute[],
): ProviderPayment {
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null;
  const isPaid = session.payment_status === 'paid' && intent?.status === 'succeeded';
  return {
    reference: session.id,
    intentReference:
      intent?.id ?? (typeof session.payment_intent === 'string' ? session.payment_intent : null),
    paymentId: session.metadata?.['payment_id'] ?? null,
    standing: isPaid ? 'paid' : isOpen(session, intent) ? 'open' : 'ended',
    amountCents: BigInt(isPaid ? intent.amount_received : (session.amount_total ?? 0)),
    currency: (isPaid ? intent.currency : session.currency) ?? '',
    livemode: session.livemode,
    failureCode: isPaid ? null : failureOf(intent),
    checkoutUrl: session.url,
    ...paidBackOf(intent, disputes),
    savedCard: isPaid && intent.setup_future_usage !== null ? presentCard(intent.payment_method) : null,
  };
}

/** A completed checkout whose payment is still processing may succeed; one whose payment failed by then can't be paid again. */
const isOpen = ({ status }: Stripe.Checkout.Session, intent: Stripe.PaymentIntent | null): boolean =>
  status === 'open' ||
  (status === 'complete' && intent?.status !== 'requires_payment_method' && intent?.status !== 'canceled');

function failureOf(intent: Stripe.PaymentIntent | null): string | null {
  const failure = intent?.last_payment_error;
  return failure == null ? null : (failure.decline_code ?? failure.code ?? failure.type);
}

const sumOf = (amounts: readonly number[]): bigint =>
  amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);
