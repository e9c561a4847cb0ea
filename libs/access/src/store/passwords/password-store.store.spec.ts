import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { UnitOfWork } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { SessionStore } from '../sessions/session-store';
import { PasswordStore } from './password-store';

const NOW_MS = Date.UTC(2026, 0, 1);
const AT = new Date(NOW_MS);

let test: TestDatabase;
let passwords: PasswordStore;
let unitOfWork: UnitOfWork;

beforeAll(async () => {
  test = await openTestDatabase();
  passwords = new PasswordStore(test.database);
  unitOfWork = new UnitOfWork(test.database);
});
afterAll(() => test.close());
beforeEach(async () => {
  await test.database.prisma.user.deleteMany();
  await test.database.prisma.user.create({
    data: { id: 'usr_a', email: 'a@example.com', passwordHash: 'old' },
  });
});

const beginSession = (passwordHash: string) =>
  new SessionStore(test.database).createSession({
    sha256: randomBytes(32),
    userId: 'usr_a',
    passwordHash,
    nowMs: NOW_MS,
    expiresAtMs: NOW_MS + 60_000,
  });
const liveSessions = () => test.database.prisma.consoleSession.count({ where: { revokedAt: null } });

describe('a change of the password', () => {
  it('lets no login by the old one through that was judged before it and begins a session after it', async () => {
    let login: Promise<boolean> | undefined;
    await unitOfWork.transaction(async (tx) => {
      await passwords.changePassword(tx, { userId: 'usr_a', from: 'old', to: 'new', at: AT });
      login = beginSession('old');
      // The login waits for the change to commit.
      await pause(200);
    });
    expect(await login).toBe(false);
    expect(await liveSessions()).toBe(0);
  });

  it('ends the sessions that began before', async () => {
    expect(await beginSession('old')).toBe(true);
    const change = { userId: 'usr_a', from: 'old', to: 'new', at: AT };
    expect(await unitOfWork.transaction((tx) => passwords.changePassword(tx, change))).toBe(true);
    expect(await liveSessions()).toBe(0);
  });

  it('does nothing where the password is another by now', async () => {
    await beginSession('old');
    const change = { userId: 'usr_a', from: 'older', to: 'new', at: AT };
    expect(await unitOfWork.transaction((tx) => passwords.changePassword(tx, change))).toBe(false);
    expect(await liveSessions()).toBe(1);
  });
});
