import type Stripe from 'stripe';
import { type ProviderSetup, type SavedCard } from '../rules/card';

/** Fields of the session that {@link presentSetup} needs expanded. https://docs.stripe.com/api/expanding_objects */
export const SETUP_EXPANDED = ['setup_intent.payment_method'];

type Expandable = string | Stripe.PaymentMethod | null | undefined;

/** @returns null for what is no card, or was not expanded. https://docs.stripe.com/api/payment_methods/object */
export function presentCard(method: Expandable): SavedCard | null {
  if (typeof method !== 'object' || method?.card == null) return null;
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = method.card;
  return { reference: method.id, brand, last4, expMonth, expYear };
}

/** The setup of a card as it is now. https://docs.stripe.com/api/checkout/sessions/object */
export function presentSetup(session: Stripe.Checkout.Session): ProviderSetup {
  const intent = typeof session.setup_intent === 'object' ? session.setup_intent : null;
  const card = intent?.status === 'succeeded' ? presentCard(intent.payment_method) : null;
  return {
    reference: session.id,
    paymentMethodId: session.metadata?.['payment_method_id'] ?? null,
    standing: card !== null ? 'done' : session.status === 'expired' ? 'ended' : 'open',
    livemode: session.livemode,
    url: session.url,
    card,
  };
}
