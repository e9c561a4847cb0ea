import { formatSecret, secretHash } from '@svc/identity';
import { SessionStore, TokenStore } from '@svc/persistence';
import { openTestDatabase } from '@svc/persistence/testing';
import { FakeClock } from '@svc/testing';
import { deleteExpiredLogins } from './delete-expired-logins';

const HOUR_MS = 3_600_000;

describe('console sessions', () => {
  it('are deleted once they have expired, however many there are, and not before', async () => {
    const { database, close } = await openTestDatabase();
    const clock = new FakeClock(Date.parse('2026-11-20T12:00:00Z'));
    const sessions = new SessionStore(database);
    await database.prisma.user.create({ data: { id: 'usr_1', email: 'a@example.com' } });
    for (let made = 0; made < 501; made++) {
      const secret = formatSecret('session', crypto.getRandomValues(new Uint8Array(32)));
      const nowMs = clock.now();
      const expiresAtMs = nowMs + (made === 0 ? 2 : 1) * HOUR_MS;
      await sessions.create({ sha256: secretHash(secret), userId: 'usr_1', nowMs, expiresAtMs });
    }
    const task = { sessions, tokens: new TokenStore(database), clock };

    expect(await deleteExpiredLogins(task)).toEqual({ more: false });
    expect(await database.prisma.consoleSession.count()).toBe(501);
    clock.advance(HOUR_MS);
    expect(await deleteExpiredLogins(task)).toEqual({ more: true });
    expect(await deleteExpiredLogins(task)).toEqual({ more: false });
    expect(await database.prisma.consoleSession.count()).toBe(1);
    await close();
  });
});
