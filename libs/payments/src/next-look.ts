import { type PaymentState, isOpen } from './payment-state';

const HOUR_MS = 3_600_000;
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
 * time. Null where only an event can change it.
 */
export function nextLook(
  { state, createdAtMs }: LookedAt,
  nowMs: number,
  reconcileMs: number,
): number | null {
  if (!isOpen(state)) return null;
  if (state === 'created') return nowMs + OPEN_AGAIN_MS;
  const first = createdAtMs + reconcileMs;
  const end = createdAtMs + CHECKOUT_MS;
  const next = first > nowMs ? first : nowMs + HOUR_MS;
  return end > nowMs ? Math.min(next, end) : next;
}
