import { type Clock } from '@svc/kernel';
import { type SessionStore, type TokenStore } from '@svc/persistence';

const BATCH = 500;

interface Logins {
  readonly sessions: SessionStore;
  readonly tokens: TokenStore;
  readonly clock: Clock;
}

/** Deletes console sessions, authorization codes and tokens that nothing can come of any more. */
export async function deleteExpiredLogins({
  sessions,
  tokens,
  clock,
}: Logins): Promise<{ readonly more: boolean }> {
  const nowMs = clock.now();
  const ended = await sessions.deleteExpired(nowMs, BATCH);
  const pruned = await tokens.prune(nowMs, BATCH);
  return { more: ended === BATCH || pruned >= BATCH };
}
