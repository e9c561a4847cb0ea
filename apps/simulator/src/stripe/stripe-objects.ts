import { randomBytes } from 'node:crypto';

/** The parts of Stripe's objects that the service reads (https://docs.stripe.com/api). Amounts are cents. */
export interface Charge {
  readonly id: string;
  readonly object: 'charge';
  readonly amount: number;
  amount_refunded: number;
  readonly payment_intent: string;
  readonly metadata: Metadata;
  readonly livemode: boolean;
}

export interface PaymentIntent {
  readonly id: string;
  readonly object: 'payment_intent';
  status: 'requires_payment_method' | 'succeeded' | 'canceled';
  readonly amount: number;
  amount_received: number;
  currency: string;
  livemode: boolean;
  readonly metadata: Metadata;
  last_payment_error: { readonly type: string; readonly code: string; readonly decline_code: string } | null;
  latest_charge: Charge | null;
  readonly setup_future_usage: 'off_session' | null;
  payment_method: PaymentMethod | null;
}

export interface PaymentMethod {
  readonly id: string;
  readonly object: 'payment_method';
  readonly type: 'card';
  customer: string | null;
  readonly card: {
    readonly brand: string;
    readonly last4: string;
    readonly exp_month: number;
    readonly exp_year: number;
  };
}

/** A checkout in setup mode: a card is kept, and nothing is paid. */
export interface SetupSession {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly mode: 'setup';
  status: 'open' | 'complete' | 'expired';
  readonly livemode: boolean;
  readonly metadata: Metadata;
  url: string | null;
  readonly success_url: string;
  readonly cancel_url: string | null;
  readonly customer: string;
  readonly setup_intent: {
    readonly id: string;
    readonly object: 'setup_intent';
    status: 'requires_payment_method' | 'succeeded';
    payment_method: PaymentMethod | null;
  };
}

export interface Session {
  readonly id: string;
  readonly object: 'checkout.session';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  readonly amount_total: number;
  currency: string;
  livemode: boolean;
  readonly metadata: Metadata;
  url: string | null;
  readonly success_url: string;
  readonly cancel_url: string | null;
  readonly customer: string | null;
  readonly payment_intent: PaymentIntent;
}

export interface Refund {
  readonly id: string;
  readonly object: 'refund';
  readonly amount: number;
  readonly payment_intent: string;
  readonly status: 'succeeded';
}

export interface Dispute {
  readonly id: string;
  readonly object: 'dispute';
  readonly amount: number;
  status: 'needs_response' | 'won' | 'lost';
  readonly payment_intent: string;
  readonly balance_transactions: { readonly id: string; readonly amount: number }[];
}

export type Metadata = Readonly<Record<string, string>>;

export const newObjectId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;
