import { addNanos, maxNanos, minNanos, nanos, subtractNanos, ZERO_NANOS, type Nanos } from '@svc/kernel';
import { type CreditedState } from './payment-state';

/** Amounts that the provider has paid back to the payer, in all. */
export interface PaidBack {
  readonly refunded: Nanos;
  /** By disputes. */
  readonly withdrawn: Nanos;
  /** By disputes that were won. */
  readonly reinstated: Nanos;
}

/** Where what a payment's credit has lost was booked. */
export interface ClawedBack {
  /** Taken from the wallet. */
  readonly taken: Nanos;
  /** Still to be taken. */
  readonly owed: Nanos;
  /** Given up: the platform's loss. */
  readonly writtenOff: Nanos;
}

/** The amount to claw back of a credit, in all: never less than nothing, never more than the credit. */
export function clawBackTarget(credited: Nanos, { refunded, withdrawn, reinstated }: PaidBack): Nanos {
  const paidBack = subtractNanos(addNanos(refunded, withdrawn), reinstated);
  return minNanos(credited, maxNanos(ZERO_NANOS, paidBack));
}

/**
 * Moves what is booked to the target. What the wallet can't give is owed. What comes back settles first what is owed, then
 * the platform's loss, then fills the wallet.
 * @param available what the wallet can give now.
 */
export function clawBack(booked: ClawedBack, target: Nanos, available: Nanos): ClawedBack {
  const { taken, owed, writtenOff } = booked;
  const missing = nanos(target - taken - owed - writtenOff);
  if (missing >= 0n) return collectOwed({ ...booked, owed: addNanos(owed, missing) }, available);
  const surplus = nanos(-missing);
  const ofOwed = minNanos(owed, surplus);
  const ofLoss = minNanos(writtenOff, subtractNanos(surplus, ofOwed));
  return {
    taken: nanos(taken - (surplus - ofOwed - ofLoss)),
    owed: subtractNanos(owed, ofOwed),
    writtenOff: subtractNanos(writtenOff, ofLoss),
  };
}

/** Takes what is owed, as far as the wallet can give it. */
export function collectOwed({ taken, owed, writtenOff }: ClawedBack, available: Nanos): ClawedBack {
  const collected = minNanos(owed, maxNanos(ZERO_NANOS, available));
  return { taken: addNanos(taken, collected), owed: subtractNanos(owed, collected), writtenOff };
}

/** Gives up what is owed. */
export const writeOff = ({ taken, owed, writtenOff }: ClawedBack): ClawedBack => ({
  taken,
  owed: ZERO_NANOS,
  writtenOff: addNanos(writtenOff, owed),
});

/** The state of a credited payment, by the totals. A dispute that was won in full leaves none. */
export function creditedState(amount: Nanos, { refunded, withdrawn, reinstated }: PaidBack): CreditedState {
  if (withdrawn > reinstated) return 'disputed';
  if (refunded >= amount) return 'refunded';
  return refunded > 0n ? 'partially_refunded' : 'succeeded';
}
