import { type Role } from '@svc/access';
import { unusedId } from '@svc/testing';
import {
  OauthUnderTest,
  sessionHeaders,
  type Answered,
  type TestApp,
  type TestMember,
} from '../testing/oauth-under-test';

const OWN = '/api/v1/oauth/grants';
const OF_ORGANIZATION = '/api/v1/oauth-apps/grants';

let oauth: OauthUnderTest;
let member: TestMember;
let app: TestApp;
beforeAll(async () => {
  oauth = await OauthUnderTest.start();
});
beforeEach(async () => {
  member = await oauth.newMember('developer');
  app = await oauth.newApp();
});
afterAll(() => oauth.close());

const get = (path: string, by: TestMember): Promise<Answered> => oauth.get(path, sessionHeaders(by.browser));
const revoke = (path: string, by: TestMember): Promise<Answered> =>
  oauth.call('POST', `${path}/revoke`, { headers: sessionHeaders(by.browser) });
const grantOf = async ({ userId }: TestMember): Promise<string> =>
  (await oauth.prisma.oauthGrant.findFirstOrThrow({ where: { userId } })).id;
const colleague = (role: Role) => oauth.newMember(role, member.organizationId);

describe('a grant', () => {
  it('is shown to its member, and in its organization, by the fields of the reference', async () => {
    await oauth.tokensFor(app, member);
    const id = await grantOf(member);
    const shown = {
      id,
      organization_id: member.organizationId,
      user_id: member.userId,
      app: { id: app.id, name: 'Charts', homepage: 'https://app.example' },
      scopes: ['openid', 'email', 'usage:read'],
      state: 'active',
      created_at: expect.stringMatching(/Z$/),
      last_used_at: new Date(oauth.clock.now()).toISOString(),
      revoked_at: null,
    };
    const owner = await colleague('owner');
    const list = { data: [shown], has_more: false, next_cursor: null };
    expect((await get(OWN, member)).body).toEqual(list);
    expect((await get(`${OWN}/${id}`, member)).body).toEqual(shown);
    const scoped = `/api/v1/organizations/${member.organizationId}/oauth-apps/grants`;
    for (const path of [OF_ORGANIZATION, scoped]) {
      expect((await get(path, owner)).body).toEqual(list);
      expect((await get(`${path}/${id}`, owner)).body).toEqual(shown);
    }
    expect((await get(OWN, owner)).body.data).toEqual([]);
  });

  it('of several organizations is listed to its member without naming one', async () => {
    const other = await oauth.newOrganization('Other');
    await oauth.join(member.userId, other);
    const path = oauth.authorizePath(app);
    await oauth.decide(member.browser, path, { organizationId: member.organizationId });
    await oauth.decide(member.browser, oauth.authorizePath(app, { prompt: 'consent' }), {
      organizationId: other,
    });
    const { body } = await get(OWN, member);
    expect(body.data.map((grant: { organization_id: string }) => grant.organization_id).sort()).toEqual(
      [member.organizationId, other].sort(),
    );
    const one = body.data.find((grant: { organization_id: string }) => grant.organization_id === other);
    expect((await revoke(`${OWN}/${one.id}`, member)).body.state).toBe('revoked');
    expect(await oauth.prisma.auditEntry.findMany({ where: { action: 'grant.revoke' } })).toMatchObject([
      { organizationId: other, actorId: member.userId, targetId: one.id },
    ]);
  });

  it('is found among others by app, member and state, page by page', async () => {
    const owner = await colleague('owner');
    const apps = [app, await oauth.newApp(), await oauth.newApp()];
    for (const each of apps) await oauth.newCode(each, member);
    await oauth.newCode(app, owner);
    const count = async (query: string) => (await get(`${OF_ORGANIZATION}?${query}`, owner)).body.data.length;
    expect(await count('')).toBe(4);
    expect(await count(`app_id=${app.id}`)).toBe(2);
    expect(await count(`user_id=${member.userId}`)).toBe(3);
    expect(await count(`app_id=${app.id}&user_id=${owner.userId}`)).toBe(1);
    await revoke(`${OF_ORGANIZATION}/${await grantOf(owner)}`, owner);
    expect(await count('state=revoked')).toBe(1);
    expect(await count('state=active')).toBe(3);
    const first = await get(`${OF_ORGANIZATION}?limit=3`, owner);
    expect(first.body).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    const rest = await get(`${OF_ORGANIZATION}?limit=3&cursor=${first.body.next_cursor}`, owner);
    expect(rest.body.data).toHaveLength(1);
  });

  it('of one’s own is for members: a key has none, and sees the organization’s', async () => {
    await oauth.newCode(app, member);
    const authorization = `Bearer ${await oauth.newKey(member.organizationId, ['grant:read'])}`;
    const { body, status } = await oauth.get(OWN, { authorization });
    expect([status, body.error.code]).toEqual([403, 'permission_denied']);
    expect((await oauth.get(OF_ORGANIZATION, { authorization })).body.data).toHaveLength(1);
    expect((await oauth.get(OWN)).status).toBe(401);
  });

  it.each<[string, Role, number, number]>([
    ['an owner', 'owner', 200, 200],
    ['a security admin', 'security_admin', 200, 200],
    ['a developer', 'developer', 200, 403],
    ['a viewer', 'viewer', 200, 403],
    ['finance', 'finance', 403, 403],
  ])('of the organization is read and revoked by %s as the role allows', async (_, role, read, revoked) => {
    await oauth.newCode(app, member);
    const by = await colleague(role);
    expect((await get(OF_ORGANIZATION, by)).status).toBe(read);
    expect((await revoke(`${OF_ORGANIZATION}/${await grantOf(member)}`, by)).status).toBe(revoked);
  });

  it('70 of another user or organization is not found, and stays', async () => {
    const { access } = await oauth.tokensFor(app, member);
    const id = await grantOf(member);
    const [stranger, owner] = [await oauth.newMember(), await colleague('owner')];
    const answers = [
      await get(`${OWN}/${id}`, owner),
      await revoke(`${OWN}/${id}`, owner),
      await get(`${OF_ORGANIZATION}/${id}`, stranger),
      await revoke(`${OF_ORGANIZATION}/${id}`, stranger),
      await revoke(`${OWN}/${unusedId(id)}`, member),
      await revoke(`${OWN}/${app.id}`, member),
    ];
    for (const { status, body } of answers) {
      expect([status, body.error.message]).toEqual([404, 'There is no such resource.']);
    }
    expect(await oauth.endOf(access)).toBe('ok');
  });

  it('is revoked once: a second time changes nothing, and is no audit entry', async () => {
    await oauth.newCode(app, member);
    const path = `${OWN}/${await grantOf(member)}`;
    const answers = await Promise.all([revoke(path, member), revoke(path, member), revoke(path, member)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const entries = await oauth.prisma.auditEntry.findMany({
      where: { targetId: await grantOf(member), action: 'grant.revoke' },
    });
    expect(entries).toMatchObject([{ changes: { state: { from: 'active', to: 'revoked' } } }]);
  });
});

describe('69 a call after the answer to', () => {
  /** Calls without pause; none that begins after `end` has answered may succeed. */
  async function callsDuring(access: string, end: () => Promise<Answered>): Promise<string[]> {
    let hasEnded = false;
    const late: string[] = [];
    const calling = Array.from({ length: 3 }, async () => {
      while (late.length < 12) {
        const isLate = hasEnded;
        const ended = await oauth.endOf(access);
        if (isLate) late.push(ended);
        else if (ended !== 'ok' && ended !== '401 token_revoked') throw new Error(ended);
      }
    });
    expect((await end()).status).toBeLessThan(300);
    hasEnded = true;
    await Promise.all(calling);
    return late;
  }

  const ROUNDS = 15;
  const ways: Readonly<Record<string, () => Promise<Answered>>> = {
    'the user’s revocation': async () => revoke(`${OWN}/${await grantOf(member)}`, member),
    'the organization’s revocation': async () =>
      revoke(`${OF_ORGANIZATION}/${await grantOf(member)}`, await colleague('security_admin')),
    'the app’s revocation': async () => {
      const { organizationId } = await oauth.prisma.oauthApp.findUniqueOrThrow({ where: { id: app.id } });
      const owner = await oauth.newMember('owner', organizationId);
      const headers = sessionHeaders(owner.browser);
      return oauth.call('DELETE', `/api/v1/oauth-apps/${app.id}`, { headers });
    },
  };

  it.each(Object.entries(ways))('%s never succeeds', async (_, end) => {
    for (let round = 0; round < ROUNDS; round++) {
      [member, app] = [await oauth.newMember('developer'), await oauth.newApp()];
      const { access, refresh } = await oauth.tokensFor(app, member);
      const late = await callsDuring(access, end);
      expect(new Set(late)).toEqual(new Set(['401 token_revoked']));
      expect((await oauth.refresh(app, refresh)).status).toBeGreaterThanOrEqual(400);
    }
  });
});
