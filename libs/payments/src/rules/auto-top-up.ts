import { CONSOLE, minNanos, nanos, ZERO_NANOS, type Nanos } from '@svc/kernel';
import { TOP_UP_MAX } from './amount';

export interface AutoTopUpRule {
  /** Below it, the wallet is topped up. */
  readonly threshold: Nanos;
  /** Charges are multiples of it. */
  readonly amount: Nanos;
  /** Of a calendar month, in UTC. */
  readonly monthlyCap: Nanos;
}

type AutoTopUpStep =
  | { readonly action: 'nothing' }
  | { readonly action: 'charge'; readonly amount: Nanos }
  /** The cap leaves no room for a charge. */
  | { readonly action: 'stopAtCap'; readonly amount: Nanos };

/**
 * The one charge that lifts a wallet to the threshold or above, as far as the cap leaves room.
 * @param available what the wallet can give now; below zero where it owes.
 * @param charged this month, with what is still open.
 */
export function nextAutoTopUp(
  { threshold, amount, monthlyCap }: AutoTopUpRule,
  available: bigint,
  charged: Nanos,
): AutoTopUpStep {
  if (available >= threshold) return { action: 'nothing' };
  const missing = threshold - available;
  const most = (TOP_UP_MAX / amount) * amount;
  const wanted = minNanos(nanos(((missing + amount - 1n) / amount) * amount), nanos(most));
  const left = monthlyCap > charged ? monthlyCap - charged : 0n;
  const charge = minNanos(wanted, nanos((left / amount) * amount));
  return charge > ZERO_NANOS ? { action: 'charge', amount: charge } : { action: 'stopAtCap', amount: wanted };
}

/** Why the service switched automatic top-ups off. */
export type DisabledReason =
  'payment_failed' | 'authentication_required' | 'dispute' | 'payment_method_deleted';

const HOUR_MS = 3_600_000;
/** After the first failure in a row, the second, and so on. */
const PAUSES_MS = [HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS] as const;
/** A charge is not made within it of the last one. */
export const AUTO_TOP_UP_PAUSE_MS = 60_000;

/** The next step after a charge that failed. @param failures in a row, with this one. */
export function afterFailedCharge(
  failures: number,
  failureCode: string,
): { readonly pauseMs: number; readonly disabledReason: DisabledReason | null } {
  const pauseMs = PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? HOUR_MS;
  if (failureCode === 'authentication_required') return { pauseMs, disabledReason: failureCode };
  return { pauseMs, disabledReason: failures >= PAUSES_MS.length ? 'payment_failed' : null };
}

const REASONS: Readonly<Record<DisabledReason, string>> = {
  payment_failed: 'The card was declined three times in a row.',
  authentication_required: 'The bank requires the cardholder to confirm the charge. Add credit yourself.',
  dispute: 'A payment is disputed.',
  payment_method_deleted: 'The card that it charged was removed.',
};

/** For the owner and finance. */
export const disabledMail = (reason: DisabledReason) => ({
  subject: '[Svc] Automatic top-up is switched off',
  text: `${REASONS[reason]}\n\nThe wallet is not topped up until somebody switches automatic top-up on again: ${CONSOLE}wallet?tab=auto-top-up\n`,
});
