import { visibleText } from '../../../format/visible-text';
import { type Schemas } from '../../api/use-api';
import { reviewWords } from './text';

export type Payment = Schemas['PlatformPayment'];

/** The states that a list can be narrowed to: those that an operator looks for. */
export const shownStates = [
  'review',
  'succeeded',
  'partially_refunded',
  'refunded',
  'disputed',
  'dismissed',
  'pending',
  'failed',
] as const;

const credited: readonly Payment['state'][] = ['succeeded', 'partially_refunded', 'disputed'];

/** The amount that could still be refunded: the payment, without what went back. */
export const restOf = ({
  amount_nanos: amount,
  refunded_nanos: refunded,
  disputed_nanos: disputed,
}: Payment): bigint => amount - refunded - disputed;

export const canBeRefunded = (payment: Payment): boolean =>
  credited.includes(payment.state) && restOf(payment) > 0n;

/** A payment is of whole cents. */
const CENT = 10_000_000n;
export const isWholeCents = (amount: bigint): boolean => amount % CENT === 0n;

/** Why a payment is in review, in words. */
export const reasonText = (reason: string | null): string =>
  reason === null ? '' : (reviewWords[reason] ?? visibleText(reason));
