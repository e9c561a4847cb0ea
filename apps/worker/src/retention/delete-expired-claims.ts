import { type IdempotencyStore } from '@svc/persistence';

const BATCH = 500;

/** Forgets idempotency keys, and the answers behind them, whose 24 hours are over. */
export async function deleteExpiredClaims(claims: IdempotencyStore): Promise<{ readonly more: boolean }> {
  const deleted = await claims.deleteExpired(BATCH);
  return { more: deleted === BATCH };
}
