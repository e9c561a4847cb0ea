import {
  type FailedGuessStore,
  type PasswordStore,
  type SessionStore,
  type TokenStore,
} from '@svc/persistence';

const BATCH = 500;

interface Logins {
  readonly sessions: SessionStore;
  readonly tokens: TokenStore;
  readonly guesses: FailedGuessStore;
  readonly passwords: PasswordStore;
}

/**
 * Deletes console sessions, password resets, authorization codes and tokens that nothing can come of any more, and failed
 * guesses that are forgotten.
 */
export async function deleteExpiredLogins({
  sessions,
  tokens,
  guesses,
  passwords,
}: Logins): Promise<{ readonly more: boolean }> {
  const ended = await sessions.deleteExpired(BATCH);
  const pruned = await tokens.prune(BATCH);
  const forgotten = await guesses.deleteForgotten(BATCH);
  const resets = await passwords.deleteExpiredResets(BATCH);
  return { more: ended === BATCH || pruned >= BATCH || forgotten === BATCH || resets === BATCH };
}
