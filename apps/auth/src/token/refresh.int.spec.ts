import { decodeJwt } from 'jose';
import { lifetimesMs } from '@svc/access';
import {
  OauthUnderTest,
  refusedWith,
  tokensIn,
  type TestApp,
  type TestMember,
} from '../testing/oauth-under-test';

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

describe('a refresh', () => {
  it('gives new tokens of the same scopes, and the access token before stays good', async () => {
    const first = await oauth.tokensFor(app, member);
    const second = tokensIn(await oauth.refresh(app, first.refresh));
    expect(second.scope).toBe(first.scope);
    expect(second.refresh).not.toBe(first.refresh);
    expect(second.access).not.toBe(first.access);
    for (const { access } of [first, second]) expect(await oauth.endOf(access)).toBe('ok');
  });

  it.each(['wallet:read', 'openid wallet:read', 'nonsense', ' '])(
    '56 for %j, beyond what was granted, is invalid_scope, and costs no token',
    async (scope) => {
      const { refresh } = await oauth.tokensFor(app, member);
      expect(await oauth.refresh(app, refresh, { scope })).toMatchObject(refusedWith('invalid_scope'));
      expect((await oauth.refresh(app, refresh)).status).toBe(200);
    },
  );

  it('57 for less narrows the access token alone: the next one may be for all', async () => {
    const first = await oauth.tokensFor(app, member);
    const less = tokensIn(await oauth.refresh(app, first.refresh, { scope: 'usage:read' }));
    expect(less.scope).toBe('usage:read');
    expect(decodeJwt(less.access)['scp']).toEqual(['usage:read']);
    expect(tokensIn(await oauth.refresh(app, less.refresh)).scope).toBe(first.scope);
  });

  it.each([
    ['a second', 1_000],
    ['29 days', 29 * 86_400_000],
  ])('58 with a token that was used %s ago revokes every token of the grant', async (_, agoMs) => {
    const first = await oauth.tokensFor(app, member);
    const otherDevice = await oauth.tokensFor(app, member);
    const second = tokensIn(await oauth.refresh(app, first.refresh));
    oauth.clock.advance(agoMs);
    const [third, fourth] = [
      tokensIn(await oauth.refresh(app, second.refresh)),
      tokensIn(await oauth.refresh(app, otherDevice.refresh)),
    ];
    const reused = await oauth.refresh(app, first.refresh);
    expect(reused).toMatchObject(refusedWith('invalid_grant'));
    for (const { access, refresh } of [third, fourth]) {
      expect(await oauth.endOf(access)).toBe('401 token_revoked');
      expect(await oauth.refresh(app, refresh)).toMatchObject(refusedWith('invalid_grant'));
    }
    const requestId = reused.headers.get('x-request-id');
    expect(await oauth.prisma.auditEntry.findMany({ where: { requestId } })).toMatchObject([
      { action: 'grant.revoke_tokens', changes: { reason: { to: 'refresh_token_reused' } } },
    ]);
    const again = (await oauth.refresh(app, first.refresh)).headers.get('x-request-id');
    expect(await oauth.prisma.auditEntry.count({ where: { requestId: again } })).toBe(0);
    const back = await oauth.logIn(member.userId);
    expect((await oauth.newCode(app, { ...member, browser: back })).startsWith('svc_ac_')).toBe(true);
  });

  it('is audited, and a refused one is not', async () => {
    const { refresh } = await oauth.tokensFor(app, member);
    const entriesOf = ({ headers }: { readonly headers: Headers }) =>
      oauth.prisma.auditEntry.findMany({ where: { requestId: headers.get('x-request-id') } });
    expect(await entriesOf(await oauth.refresh(await oauth.newApp(), refresh))).toEqual([]);
    expect(await entriesOf(await oauth.refresh(app, refresh))).toMatchObject([
      { action: 'grant.refresh_tokens', actorId: app.id, organizationId: member.organizationId },
    ]);
  });

  it('60 whose answer was lost ends the grant’s tokens when it is tried again', async () => {
    const { refresh } = await oauth.tokensFor(app, member);
    const lost = tokensIn(await oauth.refresh(app, refresh));
    expect(await oauth.refresh(app, refresh)).toMatchObject(refusedWith('invalid_grant'));
    expect(await oauth.endOf(lost.access)).toBe('401 token_revoked');
  });

  it('61 by another client changes nothing, with a live token as with a used one', async () => {
    const other = await oauth.newApp();
    const first = await oauth.tokensFor(app, member);
    expect(await oauth.refresh(other, first.refresh)).toMatchObject(refusedWith('invalid_grant'));
    const second = tokensIn(await oauth.refresh(app, first.refresh));
    expect(await oauth.refresh(other, first.refresh)).toMatchObject(refusedWith('invalid_grant'));
    expect(await oauth.endOf(second.access)).toBe('ok');
    expect((await oauth.refresh(app, second.refresh)).status).toBe(200);
  });

  it('62 by a public app needs no secret, by a confidential one its own', async () => {
    const publicApp = await oauth.newApp('public');
    const { refresh } = await oauth.tokensFor(publicApp, member);
    expect((await oauth.refresh(publicApp, refresh)).status).toBe(200);
    const confidential = await oauth.tokensFor(app, member);
    expect(await oauth.refresh(app, confidential.refresh, { client_secret: null })).toMatchObject(
      refusedWith('invalid_client', 401),
    );
    expect((await oauth.refresh(app, confidential.refresh)).status).toBe(200);
  });

  it('63 takes no access token, and a refresh token is no bearer', async () => {
    const { access, refresh } = await oauth.tokensFor(app, member);
    expect(await oauth.refresh(app, access)).toMatchObject(refusedWith('invalid_grant'));
    expect(await oauth.endOf(refresh)).toBe('401 invalid_api_key');
    expect((await oauth.refresh(app, refresh)).status).toBe(200);
  });

  it('64 after the app’s scopes shrank gives what is left, and all again when they grow back', async () => {
    const first = await oauth.tokensFor(app, member);
    const setScopes = (scopes: string[]) =>
      oauth.prisma.oauthApp.update({ where: { id: app.id }, data: { scopes } });
    await setScopes(['openid', 'wallet:read']);
    const second = tokensIn(await oauth.refresh(app, first.refresh));
    expect(second.scope).toBe('openid');
    await setScopes(['wallet:read']);
    expect(await oauth.refresh(app, second.refresh)).toMatchObject(refusedWith('invalid_scope'));
    await setScopes(['openid', 'email', 'usage:read']);
    expect(tokensIn(await oauth.refresh(app, second.refresh)).scope).toBe('openid email usage:read');
  });

  it('65 that dies half-way leaves the token before good', async () => {
    const { refresh } = await oauth.tokensFor(app, member);
    await oauth.prisma.$executeRawUnsafe(`
      CREATE FUNCTION no_more_tokens() RETURNS trigger AS $$ BEGIN RAISE 'the disk at 10.0.0.3 is full'; END $$ LANGUAGE plpgsql`);
    await oauth.prisma.$executeRawUnsafe(
      'CREATE TRIGGER fails BEFORE INSERT ON refresh_tokens EXECUTE FUNCTION no_more_tokens()',
    );
    const failed = await oauth.refresh(app, refresh);
    await oauth.prisma.$executeRawUnsafe('DROP TRIGGER fails ON refresh_tokens');
    expect(failed).toMatchObject({ status: 500, body: { error: { code: 'internal', retriable: true } } });
    expect(JSON.stringify(failed.body)).not.toContain('10.0.0.3');
    expect(failed.headers.get('cache-control')).toBe('no-store');
    expect((await oauth.refresh(app, refresh)).status).toBe(200);
  });

  it('lives 30 days', async () => {
    const [inTime, late] = [await oauth.tokensFor(app, member), await oauth.tokensFor(app, member)];
    oauth.clock.advance(lifetimesMs.refreshToken - 1);
    expect((await oauth.refresh(app, inTime.refresh)).status).toBe(200);
    oauth.clock.advance(1);
    expect(await oauth.refresh(app, late.refresh)).toMatchObject(refusedWith('invalid_grant'));
  });

  it('of who was removed is refused', async () => {
    const { refresh } = await oauth.tokensFor(app, member);
    await oauth.prisma.member.updateMany({ where: { userId: member.userId }, data: { state: 'removed' } });
    expect(await oauth.refresh(app, refresh)).toMatchObject(refusedWith('invalid_grant'));
  });

  it('says the role as it is by then', async () => {
    const { access, refresh } = await oauth.tokensFor(app, member);
    expect(decodeJwt(access)['role']).toBe('owner');
    await oauth.prisma.member.updateMany({ where: { userId: member.userId }, data: { role: 'viewer' } });
    expect(decodeJwt(tokensIn(await oauth.refresh(app, refresh)).access)['role']).toBe('viewer');
  });
});
