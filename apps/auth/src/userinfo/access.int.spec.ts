import { lifetimesMs, type Role } from '@svc/access';
import {
  ISSUER,
  OauthUnderTest,
  sessionHeaders,
  type TestApp,
  type TestMember,
} from '../testing/oauth-under-test';

const USERINFO = '/api/v1/oauth/userinfo';

let oauth: OauthUnderTest;
let member: TestMember;
let app: TestApp;
beforeAll(async () => {
  oauth = await OauthUnderTest.start();
});
beforeEach(async () => {
  member = await oauth.newMember();
  app = await oauth.newApp();
});
afterAll(() => oauth.close());

const bearer = (access: string) => ({ authorization: `Bearer ${access}` });
const setMember = (data: { role?: Role; state?: string }) =>
  oauth.prisma.member.updateMany({ where: { userId: member.userId }, data });

describe('an access token', () => {
  it('lives an hour, and is then invalid', async () => {
    const { access } = await oauth.tokensFor(app, member);
    oauth.clock.advance(lifetimesMs.accessToken - 1_000);
    expect(await oauth.endOf(access)).toBe('ok');
    oauth.clock.advance(1_000);
    expect(await oauth.endOf(access)).toBe('401 invalid_token');
  });

  it('79 that is revoked stays so however it is spelt', async () => {
    const { access, refresh } = await oauth.tokensFor(app, member);
    const spelt = [access, `${access} `, respelt(access)];
    for (const each of spelt) expect(await oauth.endOf(each)).toBe('ok');
    await oauth.post('/api/v1/oauth/revoke', new URLSearchParams({ token: refresh }));
    for (const each of spelt) expect(await oauth.endOf(each)).toBe('401 token_revoked');
  });

  it.each([
    ['cut short', (access: string) => access.slice(0, -2)],
    ['with another body', (access: string) => access.replace(/\.[\w-]+\./, '.eyJqdGkiOiJ4In0.')],
    ['of no key', () => 'eyJhbGciOiJub25lIn0.eyJqdGkiOiJ4In0.'],
  ])('%s is invalid_token', async (_, change) => {
    const { access } = await oauth.tokensFor(app, member);
    expect(await oauth.endOf(change(access))).toBe('401 invalid_token');
  });

  it.each(['garbage', 'svc_rt_x', 'a.b', ''])('that is %j is no token of ours', async (text) => {
    expect(await oauth.endOf(text)).toBe('401 invalid_api_key');
  });

  it('81 loses at the next call what its member’s role lost, and gets it back', async () => {
    const { access } = await oauth.tokensFor(app, member, { scope: 'projects:write wallet:read' });
    expect(await oauth.endOf(access, 'projects')).toBe('ok');
    await setMember({ role: 'finance' });
    expect(await oauth.endOf(access, 'projects')).toBe('403 permission_denied');
    expect(await oauth.endOf(access, 'wallet')).toBe('ok');
    await setMember({ role: 'developer' });
    expect(await oauth.endOf(access, 'projects')).toBe('ok');
    expect(await oauth.endOf(access, 'wallet')).toBe('403 permission_denied');
  });

  it('82 stays within its scopes when the role grows', async () => {
    await setMember({ role: 'viewer' });
    const { access } = await oauth.tokensFor(app, member, { scope: 'usage:read' });
    await setMember({ role: 'owner' });
    expect(await oauth.endOf(access, 'usage')).toBe('ok');
    expect(await oauth.endOf(access, 'wallet')).toBe('403 insufficient_scope');
  });

  it('narrows at the next call when its app’s scopes do', async () => {
    const { access } = await oauth.tokensFor(app, member, { scope: 'usage:read wallet:read' });
    await oauth.prisma.oauthApp.update({ where: { id: app.id }, data: { scopes: ['wallet:read'] } });
    expect(await oauth.endOf(access, 'usage')).toBe('403 insufficient_scope');
    expect(await oauth.endOf(access, 'wallet')).toBe('ok');
  });

  it('83 of who was removed is revoked, and stays so when they come back', async () => {
    const { access, refresh } = await oauth.tokensFor(app, member);
    await setMember({ state: 'removed' });
    expect(await oauth.endOf(access)).toBe('401 token_revoked');
    expect((await oauth.refresh(app, refresh)).body.error.code).toBe('invalid_grant');
    // The management API does this in the transaction of the removal.
    await oauth.revokeGrantsOf(member);
    await setMember({ state: 'active' });
    expect(await oauth.endOf(access)).toBe('401 token_revoked');
    expect((await oauth.refresh(app, refresh)).body.error.code).toBe('invalid_grant');
  });

  it('of a suspended organization is revoked', async () => {
    const { access } = await oauth.tokensFor(app, member);
    const where = { id: member.organizationId };
    await oauth.prisma.organization.update({ where, data: { state: 'suspended' } });
    expect(await oauth.endOf(access)).toBe('401 token_revoked');
  });

  it('84 finds nothing in another organization, the member’s own others included', async () => {
    const other = await oauth.newOrganization('Other');
    await oauth.join(member.userId, other);
    const path = oauth.authorizePath(app);
    const allowed = await oauth.decide(member.browser, path, { organizationId: member.organizationId });
    const code = new URL(allowed.location!).searchParams.get('code')!;
    const access = (await oauth.exchange(app, code)).body.access_token as string;
    const within = (organizationId: string) =>
      oauth.call('POST', `/api/v1/organizations/${organizationId}/probe/usage`, { headers: bearer(access) });
    expect((await within(member.organizationId)).status).toBe(200);
    for (const id of [other, (await oauth.newMember()).organizationId])
      expect((await within(id)).status).toBe(404);
  });

  it('86 counts in the header alone', async () => {
    const { access } = await oauth.tokensFor(app, member);
    const probe = '/api/v1/probe/usage';
    const answers = [
      await oauth.call('POST', `${probe}?access_token=${access}`, {}),
      await oauth.post(probe, new URLSearchParams({ access_token: access })),
      await oauth.call('POST', probe, {
        headers: { cookie: `svc_session=${access}; access_token=${access}` },
      }),
      await oauth.call('POST', probe, { headers: { 'x-api-key': access } }),
    ];
    for (const { status, body } of answers)
      expect([status, body.error.code]).toEqual([401, 'invalid_api_key']);
  });

  it.each([
    ['usage:read', 'usage', 'ok'],
    ['usage:read', 'requests', '403 insufficient_scope'],
    ['requests:read', 'requests', 'ok'],
    ['requests:read', 'usage', '403 insufficient_scope'],
    ['usage:read', 'wallet', '403 insufficient_scope'],
    ['wallet:read', 'wallet', 'ok'],
    ['projects:write', 'projects', 'ok'],
    ['openid email', 'usage', '403 insufficient_scope'],
  ])('87 with %s is answered on %s with: %s', async (scope, route, end) => {
    const { access } = await oauth.tokensFor(app, member, { scope });
    expect(await oauth.endOf(access, route)).toBe(end);
  });

  it.each([
    ['POST', '/api/v1/probe/keys'],
    ['GET', '/api/v1/oauth-apps'],
    ['POST', '/api/v1/oauth-apps'],
    ['GET', '/api/v1/oauth-apps/grants'],
    ['GET', '/api/v1/oauth/grants'],
  ])('89 of every scope, and an owner’s, opens no %s %s', async (method, path) => {
    const everything =
      'openid email usage:read requests:read wallet:read keys:read catalog:read projects:write';
    const { access } = await oauth.tokensFor(app, member, { scope: everything });
    expect(await oauth.call(method, path, { headers: bearer(access) })).toMatchObject({
      status: 403,
      body: { error: { type: 'permission', code: 'insufficient_scope' } },
    });
  });
});

describe('userinfo', () => {
  it('88 tells who consented, where, and for which app; the address with its scope only', async () => {
    const told = { sub: member.userId, organization_id: member.organizationId, azp: app.clientId };
    const openid = await oauth.tokensFor(app, member, { scope: 'openid' });
    const answer = await oauth.get(USERINFO, bearer(openid.access));
    expect([answer.status, answer.body]).toEqual([200, told]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const both = await oauth.tokensFor(app, member, { scope: 'openid email' });
    expect((await oauth.get(USERINFO, bearer(both.access))).body).toEqual({
      ...told,
      email: member.email,
      email_verified: false,
    });
  });

  it('88 needs openid, and an access token', async () => {
    const { access } = await oauth.tokensFor(app, member, { scope: 'usage:read' });
    const notItsOwn = { status: 403, body: { error: { code: 'insufficient_scope' } } };
    expect(await oauth.get(USERINFO, bearer(access))).toMatchObject(notItsOwn);
    expect(await oauth.get(USERINFO, sessionHeaders(member.browser))).toMatchObject(notItsOwn);
    expect((await oauth.get(USERINFO)).status).toBe(401);
  });
});

describe('the metadata', () => {
  it('is complete, and names what there is', async () => {
    const { status, body } = await oauth.get('/.well-known/oauth-authorization-server');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      issuer: ISSUER,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    });
    const [authorize, jwks, userinfo] = [
      body.authorization_endpoint,
      body.jwks_uri,
      body.userinfo_endpoint,
    ].map((url: string) => url.replace(ISSUER, ''));
    expect((await fetch(oauth.url + authorize!)).status).toBe(400);
    expect((await oauth.get(jwks!)).status).toBe(200);
    expect((await oauth.get(userinfo!)).status).toBe(401);
    for (const path of [body.token_endpoint, body.revocation_endpoint] as string[]) {
      expect((await oauth.post(path.replace(ISSUER, ''), new URLSearchParams({ a: 'b' }))).status).not.toBe(
        404,
      );
    }
  });

  it('lists the scopes to anybody', async () => {
    const { status, body } = await oauth.get('/api/v1/oauth/scopes');
    expect(status).toBe(200);
    expect(body).toMatchObject({ has_more: false, next_cursor: null });
    expect(body.data).toHaveLength(8);
    expect(body.data[2]).toEqual({
      scope: 'usage:read',
      description: 'read usage, cost and request summaries',
      permissions: ['usage:read', 'org:read'],
    });
  });
});

/** The same signature with other values of base64url's spare bits. */
function respelt(jwt: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(jwt.slice(-1));
  return jwt.slice(0, -1) + alphabet.charAt(last ^ 1);
}
