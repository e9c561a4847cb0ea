import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { type Role } from '../../rules/permissions/permissions';
import { OauthWorld } from '../../testing/oauth-world';

let test: TestDatabase;
let world: OauthWorld;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());
beforeEach(() => {
  world = new OauthWorld(test.database);
});

const revokeAs = (grantId: string, holder: { userId: string } | { organizationId: string }) =>
  world.run((tx) => world.grants.revokeGrant(tx, grantId, holder, world.now));
const page = (limit: number, before: string | null = null) => ({ limit, before });

describe('a consent', () => {
  it('is a grant with its app, and nothing of the app’s secret', async () => {
    const grant = await world.newGrant();
    expect(grant).toEqual({
      id: expect.stringMatching(/^grant_/) as string,
      organizationId: grant.organizationId,
      userId: grant.userId,
      app: { id: grant.app.id, name: 'App', homepage: 'https://app.example' },
      scopes: grant.scopes,
      state: 'active',
      createdAt: expect.any(Date) as Date,
      lastUsedAt: null,
      revokedAt: null,
    });
    expect(await world.grants.findGrant(grant.userId, grant.organizationId, grant.app.id)).toEqual(grant);
  });

  it('adds to what stands, and takes back what was asked and left out', async () => {
    const { organizationId, userId, app, id } = await world.newGrant();
    const consent = {
      organizationId,
      userId,
      appId: app.id,
      asked: ['openid', 'email'],
      consented: ['openid'],
    } as const;
    const changed = await world.run((tx) => world.grants.consent(tx, world.newId('grant'), consent));
    expect(changed?.id).toBe(id);
    expect(changed?.scopes).not.toContain('email');
    expect(changed?.scopes).toContain('usage:read');
  });

  it('is refused for a revoked app and for a user who is no member', async () => {
    const organizationId = await world.newOrganization();
    const app = await world.newApp(organizationId);
    const [member, stranger] = [
      await world.newMember(organizationId),
      await world.newMember(await world.newOrganization()),
    ];
    expect(await world.consent(organizationId, stranger, app.id)).toBeNull();
    await test.database.prisma.member.updateMany({ where: { userId: member }, data: { state: 'removed' } });
    expect(await world.consent(organizationId, member, app.id)).toBeNull();
    const other = await world.newMember(organizationId);
    await world.run((tx) => world.apps.revokeApp(tx, organizationId, app.id, world.now));
    expect(await world.consent(organizationId, other, app.id)).toBeNull();
    expect(await test.database.prisma.oauthGrant.count({ where: { organizationId } })).toBe(0);
  });

  it('may be to the app of another organization', async () => {
    const app = await world.newApp(await world.newOrganization());
    const organizationId = await world.newOrganization();
    const userId = await world.newMember(organizationId, 'viewer');
    expect(await world.consent(organizationId, userId, app.id)).toMatchObject({ organizationId });
  });
});

describe('a revoked grant', () => {
  it.each(['the user', 'the organization'])('is revoked by %s with its tokens, once', async (by) => {
    const grant = await world.newGrant();
    const { userId, organizationId } = grant;
    const { issued } = await world.exchange(await world.newCode(grant), grant.app.id);
    const holder = by === 'the user' ? { userId } : { organizationId };
    expect(await revokeAs(grant.id, holder)).toMatchObject({
      wasActive: true,
      grant: { id: grant.id, state: 'revoked', revokedAt: world.now },
    });
    expect(await revokeAs(grant.id, holder)).toMatchObject({ wasActive: false, grant: { state: 'revoked' } });
    expect(await world.access(issued!.jti)).toBe('revoked');
    expect((await world.refresh(issued!.refreshToken, grant.app.id)).issued).toBeNull();
  });

  it('is none of another user or another organization', async () => {
    const [grant, other] = [await world.newGrant(), await world.newGrant()];
    expect(await revokeAs(grant.id, { userId: other.userId })).toBeNull();
    expect(await revokeAs(grant.id, { organizationId: other.organizationId })).toBeNull();
    expect(await revokeAs('grant_unknown', { userId: grant.userId })).toBeNull();
    expect((await world.grants.findGrant(grant.userId, grant.organizationId, grant.app.id))?.state).toBe(
      'active',
    );
  });

  it('is revived by a new consent, for its scopes alone, and its old tokens are not', async () => {
    const grant = await world.newGrant();
    const { organizationId, userId, app } = grant;
    const { issued } = await world.exchange(await world.newCode(grant), app.id);
    const unused = await world.newCode(grant);
    await revokeAs(grant.id, { userId });
    expect((await world.exchange(unused, app.id)).issued).toBeNull();
    expect(await world.consent(organizationId, userId, app.id, ['openid'])).toMatchObject({
      id: grant.id,
      state: 'active',
      scopes: ['openid'],
      revokedAt: null,
    });
    expect(await world.access(issued!.jti)).toBe('revoked');
    expect((await world.refresh(issued!.refreshToken, app.id)).issued).toBeNull();
  });
});

describe('a member who is removed', () => {
  it('takes the grants in that organization along, and comes back without them', async () => {
    const grant = await world.newGrant();
    const { organizationId, userId } = grant;
    const elsewhere = await world.newOrganization();
    await test.database.prisma.member.create({
      data: { id: world.newId('member'), organizationId: elsewhere, userId, role: 'viewer' satisfies Role },
    });
    const kept = await world.consent(elsewhere, userId, grant.app.id);
    const { issued } = await world.exchange(await world.newCode(grant), grant.app.id);
    const remove = () =>
      world.run((tx) => world.grants.revokeOfMember(tx, organizationId, userId, world.now));
    expect(await remove()).toEqual([grant.id]);
    expect(await remove()).toEqual([]);
    // The member's row is active here, so the token must be revoked itself.
    expect(await world.access(issued!.jti)).toBe('revoked');
    expect((await world.grants.findGrant(userId, elsewhere, grant.app.id))?.state).toBe(kept?.state);
  });
});

describe('grants', () => {
  it('are listed for a user and for an organization, newest first, page by page', async () => {
    const organizationId = await world.newOrganization();
    const userId = await world.newMember(organizationId);
    const colleague = await world.newMember(organizationId);
    const ids: string[] = [];
    for (const holder of [userId, userId, colleague]) {
      const app = await world.newApp(organizationId);
      ids.unshift((await world.consent(organizationId, holder, app.id))!.id);
    }
    const first = await world.grants.listByOrganization(organizationId, page(2));
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.hasMore).toBe(true);
    const last = await world.grants.listByOrganization(organizationId, page(2, ids[1]));
    expect(last.items.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(last.hasMore).toBe(false);
    const own = await world.grants.listByUser(userId, page(20));
    expect(own.items.map(({ id }) => id)).toEqual(ids.slice(1));
    expect(await world.grants.listByUser('usr_unknown', page(20))).toEqual({ items: [], hasMore: false });
  });
});
