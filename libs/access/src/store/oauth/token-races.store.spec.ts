import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { OauthWorld, type IssuedPair, type TokenAnswer } from '../../testing/oauth-world';

const ROUNDS = 100;

let test: TestDatabase;
let world: OauthWorld;
beforeAll(async () => {
  test = await openTestDatabase();
  world = new OauthWorld(test.database);
});
afterAll(() => test.close());

/** The only success among several answers. */
function onlyIssued(answers: readonly TokenAnswer<{ readonly kind: string }>[]): IssuedPair {
  const kinds = answers.map(({ decision }) => decision.kind).sort();
  expect(kinds).toEqual(['issue', ...kinds.slice(1).map(() => 'refuse-and-revoke')]);
  return answers.find(({ issued }) => issued !== null)!.issued!;
}

describe('parallel requests', () => {
  it(`with one code succeed once, and the replay revokes what the success gave, ${String(ROUNDS)} times of ${String(ROUNDS)}`, async () => {
    const grant = await world.newGrant();
    for (let round = 0; round < ROUNDS; round++) {
      const code = await world.newCode(grant);
      const exchange = () => world.exchange(code, grant.app.id);
      const issued = onlyIssued(await Promise.all([exchange(), exchange()]));
      expect(await world.access(issued.jti)).toBe('revoked');
      expect((await world.refresh(issued.refreshToken, grant.app.id)).decision.kind).toBe('refuse');
    }
  });

  it(`with one refresh token succeed once, and its reuse revokes every token of the grant, ${String(ROUNDS)} times of ${String(ROUNDS)}`, async () => {
    const grant = await world.newGrant();
    for (let round = 0; round < ROUNDS; round++) {
      const { issued } = await world.exchange(await world.newCode(grant), grant.app.id);
      const other = await world.exchange(await world.newCode(grant), grant.app.id);
      const refresh = () => world.refresh(issued!.refreshToken, grant.app.id);
      const refreshed = onlyIssued(await Promise.all([refresh(), refresh()]));
      for (const { jti } of [issued!, refreshed, other.issued!]) {
        expect(await world.access(jti)).toBe('revoked');
      }
      expect((await world.refresh(other.issued!.refreshToken, grant.app.id)).decision.kind).toBe('refuse');
    }
  });

  it('of five with one code all but one are replays', async () => {
    const grant = await world.newGrant();
    for (let round = 0; round < 10; round++) {
      const code = await world.newCode(grant);
      const answers = Array.from({ length: 5 }, () => world.exchange(code, grant.app.id));
      expect(await world.access(onlyIssued(await Promise.all(answers)).jti)).toBe('revoked');
    }
  });

  it('to refresh and to revoke the grant leave no live token', async () => {
    for (let round = 0; round < 20; round++) {
      const grant = await world.newGrant();
      const { issued } = await world.exchange(await world.newCode(grant), grant.app.id);
      const [{ issued: refreshed }] = await Promise.all([
        world.refresh(issued!.refreshToken, grant.app.id),
        world.run((tx) => world.grants.revokeGrant(tx, grant.id, { userId: grant.userId }, world.now)),
      ]);
      expect(await world.access(issued!.jti)).toBe('revoked');
      if (refreshed !== null) expect(await world.access(refreshed.jti)).toBe('revoked');
      const live = { grantId: grant.id, revokedAt: null };
      expect(await test.database.prisma.accessToken.count({ where: live })).toBe(0);
      expect(await test.database.prisma.refreshToken.count({ where: { ...live, rotatedAt: null } })).toBe(0);
    }
  });

  it('to consent and to revoke the app leave no active grant', async () => {
    for (let round = 0; round < 20; round++) {
      const organizationId = await world.newOrganization();
      const users = await Promise.all([1, 2, 3].map(() => world.newMember(organizationId)));
      const app = await world.newApp(organizationId);
      await Promise.all([
        ...users.map((userId) => world.consent(organizationId, userId, app.id)),
        world.run((tx) => world.apps.revokeApp(tx, organizationId, app.id, world.now)),
      ]);
      const where = { appId: app.id, state: 'active' };
      expect(await test.database.prisma.oauthGrant.count({ where })).toBe(0);
    }
  });

  it('of first consents agree on one grant', async () => {
    const organizationId = await world.newOrganization();
    const userId = await world.newMember(organizationId);
    const app = await world.newApp(organizationId);
    const consents = await Promise.all(
      (['openid', 'usage:read', 'keys:read'] as const).map((scope) =>
        world.consent(organizationId, userId, app.id, [scope]),
      ),
    );
    expect(new Set(consents.map((grant) => grant?.id)).size).toBe(1);
    expect((await world.grants.findGrant(userId, organizationId, app.id))?.scopes).toEqual([
      'openid',
      'usage:read',
      'keys:read',
    ]);
  });
});
