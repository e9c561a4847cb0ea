import { decodeJwt, decodeProtectedHeader } from 'jose';
import { lifetimesMs } from '@svc/access';
import {
  CALLBACK,
  CHALLENGE,
  ISSUER,
  OauthUnderTest,
  refusedWith,
  tokensIn,
  VERIFIER,
  type TestApp,
  type TestMember,
} from '../testing/oauth-under-test';

let oauth: OauthUnderTest;
let member: TestMember;
let app: TestApp;
let publicApp: TestApp;
beforeAll(async () => {
  oauth = await OauthUnderTest.start();
  member = await oauth.newMember();
  app = await oauth.newApp();
  publicApp = await oauth.newApp('public');
});
afterAll(() => oauth.close());

describe('an exchange', () => {
  it('answers the promised fields, whole seconds, kept by nobody', async () => {
    const code = await oauth.newCode(app, member);
    oauth.clock.advance(999);
    const { status, headers, body } = await oauth.exchange(app, code);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^svc_rt_[\w-]{43}$/),
      scope: 'openid email usage:read',
      organization_id: member.organizationId,
    });
    expect(decodeProtectedHeader(body.access_token)).toMatchObject({ alg: 'EdDSA', typ: 'at+jwt' });
    const iat = Math.floor(oauth.clock.now() / 1000);
    expect(decodeJwt(body.access_token)).toMatchObject({
      iss: ISSUER,
      aud: ISSUER,
      sub: member.userId,
      organization_id: member.organizationId,
      grant_id: expect.stringMatching(/^grant_/),
      azp: app.clientId,
      client_id: app.clientId,
      scp: ['openid', 'email', 'usage:read'],
      role: 'owner',
      jti: expect.any(String),
      iat,
      exp: iat + 3600,
    });
  });

  it('takes JSON too, of a public app with a null secret', async () => {
    const code = await oauth.newCode(publicApp, member);
    const body = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: VERIFIER,
      client_id: publicApp.clientId,
      client_secret: null,
      unknown: { ignored: true },
    };
    const answer = await oauth.post('/api/v1/oauth/token', JSON.stringify(body), {
      'content-type': 'application/json; charset=utf-8',
    });
    expect(answer.status).toBe(200);
  });

  it.each([
    [null, 400, 'invalid_request', 'grant_type'],
    ['', 400, 'invalid_request', 'grant_type'],
    ['password', 400, 'unsupported_grant_type', 'grant_type'],
    ['client_credentials', 400, 'unsupported_grant_type', 'grant_type'],
    ['implicit', 400, 'unsupported_grant_type', 'grant_type'],
    ['toString', 400, 'unsupported_grant_type', 'grant_type'],
    ['__proto__', 400, 'unsupported_grant_type', 'grant_type'],
    ['urn:ietf:params:oauth:grant-type:jwt-bearer', 400, 'unsupported_grant_type', 'grant_type'],
  ])('of grant_type %p is %i %s', async (grantType, status, code, param) => {
    const answer = await oauth.exchange(app, 'x', { grant_type: grantType });
    expect(answer).toMatchObject({ status, body: { error: { code, param, type: 'invalid_request' } } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('PKCE', () => {
  it.each([
    ['left out', null],
    ['empty', ''],
    ['of 42 characters', 'a'.repeat(42)],
    ['of 129 characters', 'a'.repeat(129)],
    ['with a character that is none', `${'a'.repeat(42)}+`],
    ['with a space', `${'a'.repeat(42)} `],
    ['in other letters', 'ä'.repeat(43)],
  ])('32 a verifier %s is invalid_request, and costs no code', async (_, verifier) => {
    const code = await oauth.newCode(app, member);
    expect(await oauth.exchange(app, code, { code_verifier: verifier })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param: 'code_verifier' } },
    });
    expect((await oauth.exchange(app, code)).status).toBe(200);
  });

  it('32 a verifier that is repeated, or a list, is invalid_request', async () => {
    const fields = { grant_type: 'authorization_code', code: 'x', redirect_uri: CALLBACK };
    const client = { client_id: app.clientId, client_secret: app.secret! };
    const form = new URLSearchParams({ ...fields, ...client });
    for (let time = 0; time < 2; time++) form.append('code_verifier', VERIFIER);
    const json = JSON.stringify({ ...fields, ...client, code_verifier: [VERIFIER, VERIFIER] });
    for (const answer of [
      await oauth.post('/api/v1/oauth/token', form),
      await oauth.post('/api/v1/oauth/token', json, { 'content-type': 'application/json' }),
    ]) {
      expect(answer).toMatchObject({
        status: 400,
        body: {
          error: {
            code: 'invalid_request',
            param: 'code_verifier',
            message: expect.stringContaining('repeated'),
          },
        },
      });
    }
  });

  it('33 the challenge is no verifier', async () => {
    const code = await oauth.newCode(app, member);
    expect(await oauth.exchange(app, code, { code_verifier: CHALLENGE })).toMatchObject(
      refusedWith('invalid_grant'),
    );
  });

  it('34 a code without a challenge cannot come to be: the database has none', async () => {
    await oauth.newCode(app, member);
    const challenges = await oauth.prisma.authorizationCode.findMany({ select: { codeChallenge: true } });
    for (const { codeChallenge } of challenges) expect(codeChallenge).toMatch(/^[\w-]{43}$/);
  });

  it('35 a wrong verifier uses the code up', async () => {
    const code = await oauth.newCode(app, member);
    for (const code_verifier of ['w'.repeat(43), VERIFIER]) {
      expect(await oauth.exchange(app, code, { code_verifier })).toMatchObject(refusedWith('invalid_grant'));
    }
  });
});

describe('a code', () => {
  it('36 is not for another client, which does not use it up', async () => {
    const other = await oauth.newApp();
    const code = await oauth.newCode(app, member);
    expect(await oauth.exchange(other, code)).toMatchObject(refusedWith('invalid_grant'));
    expect((await oauth.exchange(app, code)).status).toBe(200);
  });

  it('37 that was put into another user’s session fails on that session’s verifier', async () => {
    const stolen = await oauth.newCode(app, member);
    const ofTheVictimsSession = { code_verifier: 'another-session-0123456789-0123456789-012345' };
    expect(await oauth.exchange(app, stolen, ofTheVictimsSession)).toMatchObject(
      refusedWith('invalid_grant'),
    );
  });

  it('38 lives 60 seconds', async () => {
    const [inTime, late] = [await oauth.newCode(app, member), await oauth.newCode(app, member)];
    oauth.clock.advance(lifetimesMs.authorizationCode - 1);
    expect((await oauth.exchange(app, inTime)).status).toBe(200);
    oauth.clock.advance(1);
    expect(await oauth.exchange(app, late)).toMatchObject(refusedWith('invalid_grant'));
  });

  it('39 that comes again revokes its access tokens, the refreshed ones too, but not the consent', async () => {
    const code = await oauth.newCode(app, member);
    const first = tokensIn(await oauth.exchange(app, code));
    const second = tokensIn(await oauth.refresh(app, first.refresh));
    const other = await oauth.tokensFor(app, member);
    oauth.clock.advance(10 * 60_000);
    expect(await oauth.exchange(app, code)).toMatchObject(refusedWith('invalid_grant'));
    for (const { access } of [first, second]) expect(await oauth.endOf(access)).toBe('401 token_revoked');
    expect(await oauth.refresh(app, second.refresh)).toMatchObject(refusedWith('invalid_grant'));
    expect(await oauth.endOf(other.access)).toBe('ok');
    expect((await oauth.exchange(app, await oauth.newCode(app, member))).status).toBe(200);
  });

  it('is audited with the scopes that it gave, in the organization of the grant', async () => {
    const { headers } = await oauth.exchange(app, await oauth.newCode(app, member));
    const [entry] = await oauth.prisma.auditEntry.findMany({
      where: { requestId: headers.get('x-request-id') },
    });
    expect(entry).toMatchObject({
      organizationId: member.organizationId,
      actorType: 'oauth_app',
      actorId: app.id,
      action: 'grant.issue_tokens',
      targetType: 'grant',
    });
    expect((entry?.changes as { scopes: { to: string[] } }).scopes.to).not.toEqual([]);
  });

  it('39 that comes again is told of in the audit log of the organization', async () => {
    const code = await oauth.newCode(app, member);
    await oauth.exchange(app, code);
    const { headers } = await oauth.exchange(app, code);
    expect(
      await oauth.prisma.auditEntry.findMany({ where: { requestId: headers.get('x-request-id') } }),
    ).toMatchObject([
      {
        organizationId: member.organizationId,
        actorType: 'oauth_app',
        actorId: app.id,
        action: 'grant.revoke_tokens',
        changes: { reason: { to: 'code_replayed' } },
      },
    ]);
  });

  it('40 that comes again by another client changes nothing', async () => {
    const other = await oauth.newApp();
    const code = await oauth.newCode(app, member);
    const { access } = tokensIn(await oauth.exchange(app, code));
    expect(await oauth.exchange(other, code)).toMatchObject(refusedWith('invalid_grant'));
    expect(await oauth.endOf(access)).toBe('ok');
  });

  it('40 that comes again with a wrong verifier or redirect URI revokes too', async () => {
    for (const wrong of [{ code_verifier: 'w'.repeat(43) }, { redirect_uri: 'https://app.example/other' }]) {
      const code = await oauth.newCode(app, member);
      const { access } = tokensIn(await oauth.exchange(app, code));
      expect(await oauth.exchange(app, code, wrong)).toMatchObject(refusedWith('invalid_grant'));
      expect(await oauth.endOf(access)).toBe('401 token_revoked');
    }
  });

  it.each([
    ['with characters more', (code: string) => `${code}A`],
    ['with a space more', (code: string) => `${code} `],
    ['with a line break more', (code: string) => `${code}\r\n`],
    ['with a NUL more', (code: string) => `${code}\0`],
    ['with another code point more', (code: string) => `${code}\u200b`],
    ['in other case', (code: string) => code.toUpperCase()],
    ['cut short', (code: string) => code.slice(0, -1)],
    ['that is hostile', () => "' OR 1=1 --"],
    ['of a megabyte’s half', () => 'x'.repeat(500_000)],
  ])('42 %s is none, and leaves the right one good', async (_, change) => {
    const code = await oauth.newCode(app, member);
    expect(await oauth.exchange(app, change(code))).toMatchObject(refusedWith('invalid_grant'));
    expect((await oauth.exchange(app, code)).status).toBe(200);
  });

  it('42 that is repeated, empty or left out is invalid_request', async () => {
    const code = await oauth.newCode(app, member);
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      redirect_uri: CALLBACK,
      code_verifier: VERIFIER,
      client_id: app.clientId,
      client_secret: app.secret!,
    });
    const both = `${form.toString()}&code=${code}&code=y`;
    const inForm = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const answer of [
      await oauth.post('/api/v1/oauth/token', both, inForm),
      await oauth.exchange(app, code, { code: '' }),
      await oauth.exchange(app, code, { code: null }),
    ]) {
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', param: 'code' } },
      });
    }
    expect((await oauth.exchange(app, code)).status).toBe(200);
  });

  it('43 is for the redirect URI that it was sent to', async () => {
    const twoUris = await oauth.newApp('confidential', { redirectUris: [CALLBACK, 'https://app.example/b'] });
    const code = await oauth.newCode(twoUris, member);
    expect(await oauth.exchange(twoUris, code, { redirect_uri: 'https://app.example/b' })).toMatchObject(
      refusedWith('invalid_grant'),
    );
  });

  it('43 needs the redirect URI in the body', async () => {
    const code = await oauth.newCode(app, member);
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      code_verifier: VERIFIER,
      client_id: app.clientId,
      client_secret: app.secret!,
    });
    const inQuery = `/api/v1/oauth/token?redirect_uri=${encodeURIComponent(CALLBACK)}`;
    for (const path of ['/api/v1/oauth/token', inQuery]) {
      expect(await oauth.post(path, form)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', param: 'redirect_uri' } },
      });
    }
  });

  it('22 whose redirect URI the app lost meanwhile is worth nothing', async () => {
    const changing = await oauth.newApp();
    const code = await oauth.newCode(changing, member);
    await oauth.prisma.oauthApp.update({
      where: { id: changing.id },
      data: { redirectUris: ['https://app.example/new'] },
    });
    expect(await oauth.exchange(changing, code)).toMatchObject(refusedWith('invalid_grant'));
  });

  it('gives what is left when app and consent shrank meanwhile, and nothing to who left', async () => {
    const leaving = await oauth.newMember();
    const shrinking = await oauth.newApp();
    const code = await oauth.newCode(shrinking, leaving);
    const last = await oauth.newCode(shrinking, leaving);
    await oauth.prisma.oauthApp.update({ where: { id: shrinking.id }, data: { scopes: ['openid'] } });
    expect(tokensIn(await oauth.exchange(shrinking, code)).scope).toBe('openid');
    await oauth.prisma.member.updateMany({ where: { userId: leaving.userId }, data: { state: 'removed' } });
    expect(await oauth.exchange(shrinking, last)).toMatchObject(refusedWith('invalid_grant'));
  });

  it('is stored by its hash alone', async () => {
    const code = await oauth.newCode(app, member);
    const { access, refresh } = tokensIn(await oauth.exchange(app, code));
    const tables = [
      'authorization_codes',
      'access_tokens',
      'refresh_tokens',
      'oauth_grants',
      'audit_entries',
    ];
    for (const table of tables) {
      const rows = await oauth.prisma.$queryRawUnsafe<unknown[]>(`SELECT t::text FROM ${table} t`);
      for (const secret of [code, refresh, access]) expect(JSON.stringify(rows)).not.toContain(secret);
    }
    for (const secret of [code, refresh, access, app.secret!])
      expect(oauth.logged.join('')).not.toContain(secret);
  });
});
