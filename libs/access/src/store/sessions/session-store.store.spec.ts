import { randomBytes } from 'node:crypto';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { SESSION_IDLE_MS, SessionStore } from './session-store';

const NOW_MS = Date.UTC(2026, 0, 1);
const LIFETIME_MS = 7 * 86_400_000;

let test: TestDatabase;
let sessions: SessionStore;
const sha256 = randomBytes(32);

beforeAll(async () => {
  test = await openTestDatabase();
  sessions = new SessionStore(test.database);
});
afterAll(() => test.close());

beforeEach(async () => {
  const { prisma } = test.database;
  await prisma.member.deleteMany();
  await prisma.organization.deleteMany();
  await prisma.user.deleteMany();
  await prisma.user.create({ data: { id: 'usr_a', email: 'a@example.com' } });
  await sessions.createSession({ sha256, userId: 'usr_a', nowMs: NOW_MS, expiresAtMs: NOW_MS + LIFETIME_MS });
});

const lastSeenMs = async () =>
  (await test.database.prisma.consoleSession.findFirstOrThrow()).lastSeenAt.getTime() - NOW_MS;

describe('a session', () => {
  it('is found with its user and live memberships, by name', async () => {
    const { prisma } = test.database;
    for (const [at, name] of ['Zeta', 'Acme', 'Gone'].entries()) {
      const id = `org_${String(at)}`;
      await prisma.organization.create({
        data: { id, name, state: name === 'Zeta' ? 'suspended' : 'active' },
      });
      await prisma.member.create({
        data: {
          id: `mem_${String(at)}`,
          organizationId: id,
          userId: 'usr_a',
          role: 'viewer',
          state: name === 'Gone' ? 'removed' : 'active',
        },
      });
    }
    expect(await sessions.findSession(sha256, NOW_MS)).toEqual({
      userId: 'usr_a',
      email: 'a@example.com',
      createdAt: new Date(NOW_MS),
      expiresAt: new Date(NOW_MS + LIFETIME_MS),
      memberships: [
        {
          memberId: 'mem_1',
          organizationId: 'org_1',
          organizationName: 'Acme',
          organizationState: 'active',
          role: 'viewer',
        },
        {
          memberId: 'mem_0',
          organizationId: 'org_0',
          organizationName: 'Zeta',
          organizationState: 'suspended',
          role: 'viewer',
        },
      ],
    });
  });

  it('without any membership is live all the same', async () => {
    expect(await sessions.findSession(sha256, NOW_MS)).toMatchObject({ userId: 'usr_a', memberships: [] });
  });

  it('is no other hash', async () => {
    expect(await sessions.findSession(randomBytes(32), NOW_MS)).toBeNull();
  });

  it('notes its use every five minutes, not at every call', async () => {
    await sessions.findSession(sha256, NOW_MS + 299_999);
    expect(await lastSeenMs()).toBe(0);
    await sessions.findSession(sha256, NOW_MS + 300_000);
    expect(await lastSeenMs()).toBe(300_000);
    await sessions.findSession(sha256, NOW_MS + 299_000);
    expect(await lastSeenMs()).toBe(300_000);
  });

  it('says when its user was last seen', async () => {
    const lastSeen = async () => (await test.database.prisma.user.findFirstOrThrow()).lastSeenAt?.getTime();
    expect(await lastSeen()).toBe(NOW_MS);
    await sessions.findSession(sha256, NOW_MS + 300_000);
    expect(await lastSeen()).toBe(NOW_MS + 300_000);
  });

  it('does not begin by a password that was changed since', async () => {
    await test.database.prisma.user.updateMany({ data: { passwordHash: 'new' } });
    const create = (passwordHash: string | null) =>
      sessions.createSession({
        sha256: randomBytes(32),
        userId: 'usr_a',
        passwordHash,
        nowMs: NOW_MS,
        expiresAtMs: NOW_MS + LIFETIME_MS,
      });
    expect([await create('old'), await create(null), await create('new')]).toEqual([false, false, true]);
    expect(await test.database.prisma.consoleSession.count()).toBe(2);
  });

  it('ends when it was idle for too long', async () => {
    expect(await sessions.findSession(sha256, NOW_MS + SESSION_IDLE_MS)).toBeNull();
    expect(await sessions.findSession(sha256, NOW_MS + SESSION_IDLE_MS - 1)).not.toBeNull();
  });

  it('ends at its end, however much it was used', async () => {
    await test.database.prisma.consoleSession.updateMany({
      data: { lastSeenAt: new Date(NOW_MS + LIFETIME_MS) },
    });
    expect(await sessions.findSession(sha256, NOW_MS + LIFETIME_MS - 1)).not.toBeNull();
    expect(await sessions.findSession(sha256, NOW_MS + LIFETIME_MS)).toBeNull();
  });

  it('ends when it is revoked, and stays so', async () => {
    await sessions.revokeSession(sha256, NOW_MS);
    expect(await sessions.findSession(sha256, NOW_MS)).toBeNull();
    await sessions.revokeSession(sha256, NOW_MS + 1);
    expect(await test.database.prisma.consoleSession.findMany()).toMatchObject([
      { revokedAt: new Date(NOW_MS) },
    ]);
  });
});
