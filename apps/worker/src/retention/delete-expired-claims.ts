import { type IdempotencyStore } from '@svc/persistence';

const BATCH = 500;

/** Deletes idempotency keys and their stored answers after 24 hours. */
export async function deleteExpiredClaims(claims: IdempotencyStore): Promise<{ readonly more: boolean }> {
  const deleted = await claims.deleteExpired(BATCH);
  return { more: deleted === BATCH };
}
