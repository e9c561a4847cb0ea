import { type Nanos } from '@svc/kernel';
import { nanosOfCents } from './amount';
import { isBeforeSuccess, isCredited, type PaymentState } from './payment-state';
import { type ProviderPayment } from './provider';

/** A payment as it is known before the provider answers. */
export interface JudgedPayment {
  readonly id: string;
  readonly state: PaymentState;
  readonly amount: Nanos;
  readonly currency: string;
  readonly livemode: boolean;
  readonly isCancelRequested: boolean;
}

/** Differences between a payment and what was paid. */
type Difference = 'amount' | 'currency' | 'livemode' | 'metadata';

export type Verdict =
  | { readonly action: 'nothing' }
  /** Its payer can pay now. */
  | { readonly action: 'open' }
  | { readonly action: 'succeed' }
  /** Something was paid, and it is not what was asked for: a person decides. */
  | { readonly action: 'review'; readonly reason: Difference }
  | { readonly action: 'fail'; readonly failureCode: string }
  | { readonly action: 'end'; readonly state: 'expired' | 'cancelled' }
  /** The totals of refunds and disputes count. */
  | { readonly action: 'total' };

const NOTHING: Verdict = { action: 'nothing' };

/**
 * The next step of a payment, by what the provider says of it now (docs/reference/payments.md#states). No event and no
 * earlier answer counts, so their order and repetition change nothing.
 * @param found null where the provider does not know the payment.
 */
export function judgePayment(payment: JudgedPayment, found: ProviderPayment | null): Verdict {
  if (isCredited(payment.state)) return found === null ? NOTHING : { action: 'total' };
  if (!isBeforeSuccess(payment.state)) return NOTHING;
  if (found === null) return endOf(payment);
  if (found.standing === 'paid') {
    const reason = differenceOf(payment, found);
    return reason === null ? { action: 'succeed' } : { action: 'review', reason };
  }
  if (found.standing === 'ended') return endOf(payment, found.failureCode);
  if (payment.state === 'created') return { action: 'open' };
  const { failureCode } = found;
  return failureCode !== null && payment.state === 'pending' ? { action: 'fail', failureCode } : NOTHING;
}

function differenceOf(payment: JudgedPayment, found: ProviderPayment): Difference | null {
  if (found.paymentId !== payment.id) return 'metadata';
  if (found.livemode !== payment.livemode) return 'livemode';
  if (found.currency !== payment.currency) return 'currency';
  return nanosOfCents(found.amountCents) === payment.amount ? null : 'amount';
}

/** A payment that can't be paid any more. One that failed has ended already, unless its payer cancels it. */
function endOf({ state, isCancelRequested }: JudgedPayment, failureCode: string | null = null): Verdict {
  if (isCancelRequested && state !== 'expired') {
    return state === 'cancelled' ? NOTHING : { action: 'end', state: 'cancelled' };
  }
  if (state !== 'created' && state !== 'pending') return NOTHING;
  return failureCode === null ? { action: 'end', state: 'expired' } : { action: 'fail', failureCode };
}
