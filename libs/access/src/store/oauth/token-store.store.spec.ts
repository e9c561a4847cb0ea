import { Retention } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { secretHash } from '../../rules/secrets/secret';
import { OauthWorld, type IssuedPair } from '../../testing/oauth-world';
import { accessRetention } from '../access-retention';
import { type GrantRecord } from './grant-store';

const DAY_MS = 86_400_000;

let test: TestDatabase;
let world: OauthWorld;
let grant: GrantRecord;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());
beforeEach(async () => {
  world = new OauthWorld(test.database);
  grant = await world.newGrant();
});

async function newPair(): Promise<IssuedPair> {
  const { issued } = await world.exchange(await world.newCode(grant), grant.app.id);
  return issued!;
}
const refresh = (pair: IssuedPair, scope: string | null = null) =>
  world.refresh(pair.refreshToken, grant.app.id, scope);

describe('a code', () => {
  it('that another client presents is not used up by it', async () => {
    const code = await world.newCode(grant);
    const other = await world.newApp(grant.organizationId);
    expect((await world.exchange(code, other.id)).decision).toMatchObject({ error: 'invalid_grant' });
    expect((await world.exchange(code, grant.app.id)).issued).not.toBeNull();
  });

  it('that comes with a wrong verifier is used up', async () => {
    const code = await world.newCode(grant);
    const guess = await world.exchange(code, grant.app.id, 'w'.repeat(43));
    expect(guess.decision).toMatchObject({ kind: 'refuse', error: 'invalid_grant' });
    const right = await world.exchange(code, grant.app.id);
    expect(right.decision).toMatchObject({ error: 'invalid_grant' });
    expect(right.issued).toBeNull();
  });

  it('that comes again takes its tokens along, refreshed ones too, and no others', async () => {
    const code = await world.newCode(grant);
    const { issued } = await world.exchange(code, grant.app.id);
    const { issued: refreshed } = await refresh(issued!);
    const other = await newPair();
    await world.exchange(code, grant.app.id);
    expect(await Promise.all([issued!, refreshed!, other].map(({ jti }) => world.access(jti)))).toEqual([
      'revoked',
      'revoked',
      'ok',
    ]);
    expect((await refresh(refreshed!)).issued).toBeNull();
    expect((await refresh(other)).issued).not.toBeNull();
  });

  it('is refused after its minute', async () => {
    const code = await world.newCode(grant);
    world.nowMs += 60_000;
    expect((await world.exchange(code, grant.app.id)).issued).toBeNull();
  });

  it('that nobody made is nothing', async () => {
    expect((await world.exchange('svc_ac_unknown', grant.app.id)).decision).toMatchObject({ kind: 'refuse' });
  });
});

describe('a refresh token', () => {
  it('survives a wrong scope and another client', async () => {
    const pair = await newPair();
    expect((await refresh(pair, 'openid admin')).decision).toMatchObject({ error: 'invalid_scope' });
    const other = await world.newApp(grant.organizationId);
    expect((await world.refresh(pair.refreshToken, other.id)).decision).toMatchObject({ kind: 'refuse' });
    expect((await refresh(pair)).issued).not.toBeNull();
  });

  it('that was good for fewer scopes is followed by one for all', async () => {
    const { issued: few } = await refresh(await newPair(), 'openid');
    const { issued: all } = await refresh(few!);
    expect([few!.scopes, all!.scopes]).toEqual([['openid'], grant.scopes]);
  });

  it('that comes again after 29 days takes every token of the grant along; the consent stays', async () => {
    const [first, other] = [await newPair(), await newPair()];
    const { issued: second } = await refresh(first);
    world.nowMs += 29 * DAY_MS;
    const { issued: third } = await refresh(second!);
    expect((await refresh(first)).decision).toMatchObject({ kind: 'refuse-and-revoke' });
    expect(await world.access(third!.jti)).toBe('revoked');
    expect((await refresh(third!)).issued).toBeNull();
    expect((await refresh(other)).issued).toBeNull();
    expect((await world.grants.findGrant(grant.userId, grant.organizationId, grant.app.id))?.state).toBe(
      'active',
    );
    expect(await world.access((await newPair()).jti)).toBe('ok');
  });

  it('is as good as before when the process dies between its rotation and the new one', async () => {
    const pair = await newPair();
    const dying = world.run(async (tx) => {
      expect(await world.tokens.rotate(tx, secretHash(pair.refreshToken), world.now)).toBe(true);
      throw new Error('killed');
    });
    await expect(dying).rejects.toThrow('killed');
    expect((await refresh(pair)).issued).not.toBeNull();
  });

  it('is refused after its 30 days', async () => {
    const pair = await newPair();
    world.nowMs += 30 * DAY_MS;
    expect((await refresh(pair)).issued).toBeNull();
  });

  it('takes what came of its code along when it is revoked', async () => {
    const first = await newPair();
    const { issued: second } = await refresh(first);
    await world.run(async (tx) => {
      const locked = await world.tokens.lockRefreshToken(tx, secretHash(second!.refreshToken));
      await world.tokens.revokeOfCode(tx, locked!.grantId, locked!.codeSha256, world.now);
    });
    expect(await world.access(first.jti)).toBe('revoked');
    expect(await world.access(second!.jti)).toBe('revoked');
    expect((await refresh(second!)).issued).toBeNull();
  });
});

describe('an access token', () => {
  it('is known by its id, with whose it is', async () => {
    const { jti } = await newPair();
    const { organizationId, userId, app } = grant;
    expect(await world.tokens.liveness(jti)).toMatchObject({
      jti,
      grantId: grant.id,
      appId: app.id,
      organizationId,
      userId,
      email: `${userId}@example.com`,
      scopes: grant.scopes,
      liveRole: 'owner',
      revokedAt: null,
    });
    expect(await world.tokens.liveness('unknown')).toBeNull();
  });

  it('is revoked alone', async () => {
    const pair = await newPair();
    const revoke = () => world.run((tx) => world.tokens.revokeAccessToken(tx, pair.jti, world.now));
    expect([await revoke(), await revoke()]).toEqual([true, false]);
    expect(await world.access(pair.jti)).toBe('revoked');
    expect((await refresh(pair)).issued).not.toBeNull();
  });

  it.each([
    ['members', `role = 'viewer'`, { liveRole: 'viewer' }],
    ['members', `state = 'removed'`, { liveRole: null }],
    ['organizations', `state = 'suspended'`, { organizationState: 'suspended' }],
    ['oauth_apps', `scopes = '{openid}'`, { appScopes: ['openid'] }],
    ['oauth_grants', `scopes = '{email}'`, { grantScopes: ['email'] }],
  ])('changes with %s whose %s, at the next call', async (table, change, expected) => {
    const { jti } = await newPair();
    const key = table === 'organizations' ? 'id' : 'organization_id';
    await test.database.pool.query(`UPDATE ${table} SET ${change} WHERE ${key} = $1`, [grant.organizationId]);
    expect(await world.tokens.liveness(jti)).toMatchObject(expected);
  });

  it('notes its issue as the grant’s last use', async () => {
    world.nowMs += 1_234;
    await newPair();
    const used = await world.grants.findGrant(grant.userId, grant.organizationId, grant.app.id);
    expect(used?.lastUsedAt).toEqual(world.now);
  });
});

describe('what is pruned', () => {
  const codeRows = () => test.database.prisma.authorizationCode.count({ where: { grantId: grant.id } });
  const refreshRows = () => test.database.prisma.refreshToken.count({ where: { grantId: grant.id } });
  const prune = () => new Retention(test.database).deleteDue(accessRetention);
  /** Moves everything stored into the past, because the database's clock cannot be set. */
  const passDays = async (days: number) => {
    for (const [table, ...columns] of [
      ['access_tokens', 'expires_at'],
      ['refresh_tokens', 'expires_at', 'rotated_at'],
      ['authorization_codes', 'expires_at', 'kept_until', 'consumed_at'],
    ] as const) {
      const earlier = columns.map((column) => `${column} = ${column} - $1 * interval '1 day'`);
      await test.database.pool.query(`UPDATE ${table} SET ${earlier.join(', ')}`, [days]);
    }
  };
  beforeEach(() => (world.nowMs = Date.now()));

  it('is what has expired; a code and a rotated token stay as long as their reuse matters', async () => {
    const unused = await world.newCode(grant);
    const first = await newPair();
    await passDays(20);
    const { issued: second } = await refresh(first);
    await prune();
    expect((await world.exchange(unused, grant.app.id)).decision).toMatchObject({ kind: 'refuse' });
    expect([await codeRows(), await refreshRows()]).toEqual([1, 2]);
    expect(await world.tokens.liveness(first.jti)).toBeNull();
    expect(await world.access(second!.jti)).toBe('ok');
    await passDays(20);
    await prune();
    expect([await codeRows(), await refreshRows()]).toEqual([1, 1]);
    await passDays(20);
    await prune();
    expect([await codeRows(), await refreshRows()]).toEqual([0, 0]);
  });
});
