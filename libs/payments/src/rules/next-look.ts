import { isCredited, isOpen, type PaymentState } from './payment-state';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Card networks take disputes for about 120 days, and more in some cases. https://docs.stripe.com/disputes/how-disputes-work */
const PAID_BACK_WITHIN_MS = 180 * DAY_MS;
/** How long a checkout can be paid. */
export const CHECKOUT_MS = 24 * HOUR_MS;
/** The provider knows an idempotency key for at least 24 hours. Later, the same question could open a second checkout. */
export const REPEATABLE_MS = 23 * HOUR_MS;
/** A checkout that was never opened is asked for again. */
const OPEN_AGAIN_MS = 15_000;

interface LookedAt {
  readonly state: PaymentState;
  readonly createdAtMs: number;
}

/**
 * When the provider is asked about a payment next: after `reconcileMs`, then each hour, and when its checkout has had its
 * time. About a credited one ever more seldom, as an event of a refund or dispute may be lost. Null where only an event
 * can change it.
 */
export function nextLook(
  { state, createdAtMs }: LookedAt,
  nowMs: number,
  reconcileMs: number,
): number | null {
  if (isCredited(state)) return nextLookForPaidBack(nowMs, nowMs - createdAtMs, reconcileMs);
  if (!isOpen(state)) return null;
  if (state === 'created') return nowMs + OPEN_AGAIN_MS;
  const first = createdAtMs + reconcileMs;
  const end = createdAtMs + CHECKOUT_MS;
  // Nobody can pay it any more.
  if (state === 'failed' && nowMs > end) return null;
  const next = first > nowMs ? first : nowMs + HOUR_MS;
  return end > nowMs ? Math.min(next, end) : next;
}

/** The older the payment, the longer the pause, up to a day. */
function nextLookForPaidBack(nowMs: number, ageMs: number, reconcileMs: number): number | null {
  return ageMs > PAID_BACK_WITHIN_MS ? null : nowMs + Math.min(DAY_MS, Math.max(reconcileMs, ageMs));
}
