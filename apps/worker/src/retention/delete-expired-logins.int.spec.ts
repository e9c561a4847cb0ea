import { formatSecret, secretHash } from '@svc/identity';
import { FailedGuessStore, PasswordStore, SessionStore, TokenStore } from '@svc/persistence';
import { openTestDatabase } from '@svc/persistence/testing';
import { deleteExpiredLogins } from './delete-expired-logins';

const HOUR_MS = 3_600_000;

describe('console sessions', () => {
  it('are deleted once they have expired, however many there are, and not before', async () => {
    const { database, close } = await openTestDatabase();
    const sessions = new SessionStore(database);
    await database.prisma.user.create({ data: { id: 'usr_1', email: 'a@example.com' } });
    const nowMs = Date.now();
    for (let made = 0; made < 501; made++) {
      const secret = formatSecret('session', crypto.getRandomValues(new Uint8Array(32)));
      const expiresAtMs = nowMs + (made === 0 ? 2 : 1) * HOUR_MS;
      await sessions.create({ sha256: secretHash(secret), userId: 'usr_1', nowMs, expiresAtMs });
    }
    const guesses = new FailedGuessStore(database);
    const passwords = new PasswordStore(database);
    const logins = { sessions, tokens: new TokenStore(database), guesses, passwords };

    expect(await deleteExpiredLogins(logins)).toEqual({ more: false });
    expect(await database.prisma.consoleSession.count()).toBe(501);
    await database.pool.query("UPDATE console_sessions SET expires_at = expires_at - interval '1 hour'");
    expect(await deleteExpiredLogins(logins)).toEqual({ more: true });
    expect(await deleteExpiredLogins(logins)).toEqual({ more: false });
    expect(await database.prisma.consoleSession.count()).toBe(1);
    await close();
  });
});

describe('failed guesses', () => {
  it('are deleted once they no longer count, however many guessers there are, and not before', async () => {
    const { database, close } = await openTestDatabase();
    const guesses = new FailedGuessStore(database);
    const logins = {
      sessions: new SessionStore(database),
      tokens: new TokenStore(database),
      guesses,
      passwords: new PasswordStore(database),
    };
    await database.pool.query(
      `INSERT INTO failed_guesses SELECT sha256(n::text::bytea), now() + CASE WHEN n = 0 THEN 1 ELSE -1 END * interval '1 minute'
       FROM generate_series(0, 501) AS n`,
    );
    expect(await deleteExpiredLogins(logins)).toEqual({ more: true });
    expect(await deleteExpiredLogins(logins)).toEqual({ more: false });
    expect((await database.pool.query('SELECT FROM failed_guesses')).rowCount).toBe(1);
    await close();
  });
});

describe('password resets', () => {
  it('are deleted once they have expired, and not before', async () => {
    const { database, close } = await openTestDatabase();
    await database.pool.query(
      `WITH made AS (INSERT INTO users (id, email) SELECT 'usr_' || n, n || '@example.com' FROM generate_series(0, 501) AS n RETURNING id)
       INSERT INTO password_resets (user_id, secret_sha256, mailed, expires_at)
       SELECT id, sha256(id::bytea), true, now() + CASE WHEN id = 'usr_0' THEN 1 ELSE -1 END * interval '1 minute' FROM made`,
    );
    const logins = {
      sessions: new SessionStore(database),
      tokens: new TokenStore(database),
      guesses: new FailedGuessStore(database),
      passwords: new PasswordStore(database),
    };
    expect(await deleteExpiredLogins(logins)).toEqual({ more: true });
    expect(await deleteExpiredLogins(logins)).toEqual({ more: false });
    expect((await database.pool.query('SELECT FROM password_resets')).rowCount).toBe(1);
    await close();
  });
});
