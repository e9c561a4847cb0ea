import { csrfTokenFor, lifetimesMs } from '@svc/access';
import {
  CALLBACK,
  OauthUnderTest,
  sessionHeaders,
  tokensIn,
  type TestApp,
  type TestMember,
} from '../testing/oauth-under-test';
import { hiddenFields, Visitor, type Shown } from '../testing/visitor';

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

const grants = () => oauth.prisma.oauthGrant.findMany({ where: { userId: member.userId } });
const sentBack = ({ status, location }: Shown) => {
  expect(status).toBe(303);
  expect(location!.startsWith(CALLBACK)).toBe(true);
  return Object.fromEntries(new URL(location!).searchParams);
};
const isAsked = ({ status, text }: Shown) => status === 200 && text.includes('name="decision"');

describe('the consent page', () => {
  it('shows app, homepage, organization, account, and each scope ticked', async () => {
    const { status, text } = await member.browser.get(oauth.authorizePath(app));
    expect(status).toBe(200);
    for (const shown of ['Charts', 'href="https://app.example"', 'Acme', member.email, 'app.example']) {
      expect(text).toContain(shown);
    }
    expect([...text.matchAll(/value="([a-z:]+)" checked/g)].map(([, scope]) => scope)).toEqual([
      'openid',
      'email',
      'usage:read',
    ]);
    expect(text).toContain('Read usage, cost and request summaries');
  });

  it('shows a hostile name as text, and where a homepage really is', async () => {
    const hostile = await oauth.newApp('public', {
      name: '<img src=x onerror=alert(1)>\u202e"\'&',
      homepage: 'https://svc.example.evil.test/" onclick="alert(1)',
    });
    const { text } = await member.browser.get(oauth.authorizePath(hostile));
    expect(text).toContain('<bdi>&lt;img src=x onerror=alert(1)&gt;\u202e&quot;&#39;&amp;</bdi>');
    expect(text).not.toContain('<img');
    expect(text).not.toContain('" onclick="');
    expect(text).toContain('>svc.example.evil.test</a>');
  });

  it('25 cannot be framed, kept, or learned of by another site, and neither can the redirect', async () => {
    const path = oauth.authorizePath(app);
    const page = await member.browser.get(path);
    const redirect = await oauth.sendConsent(member.browser, path, page.text);
    for (const { headers } of [page, redirect]) {
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('content-security-policy')).not.toContain('form-action');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
    }
    expect(redirect.status).toBe(303);
  });
});

describe('a member who', () => {
  it('26 denies sends the app access_denied and its state, and gives nothing', async () => {
    const denied = await oauth.decide(member.browser, oauth.authorizePath(app), { decision: 'deny' });
    expect(sentBack(denied)).toEqual({ of: 'app', error: 'access_denied', state: 'state-1' });
    expect(await grants()).toEqual([]);
  });

  it('allows gives a grant, an audit entry and a code of 60 seconds', async () => {
    const allowed = await oauth.decide(member.browser, oauth.authorizePath(app));
    expect(sentBack(allowed)).toEqual({
      of: 'app',
      code: expect.stringMatching(/^svc_ac_[\w-]{43}$/),
      state: 'state-1',
    });
    const [grant] = await grants();
    expect(grant).toMatchObject({
      appId: app.id,
      organizationId: member.organizationId,
      scopes: ['openid', 'email', 'usage:read'],
      state: 'active',
    });
    const { expiresAt } = await oauth.prisma.authorizationCode.findFirstOrThrow({
      where: { grantId: grant!.id },
    });
    expect(expiresAt.getTime() - oauth.clock.now()).toBe(lifetimesMs.authorizationCode);
    expect(await oauth.prisma.auditEntry.findMany({ where: { targetId: grant!.id } })).toMatchObject([
      {
        organizationId: member.organizationId,
        actorType: 'user',
        actorId: member.userId,
        action: 'grant.consent',
        targetType: 'grant',
        changes: { app_id: { to: app.id }, scopes: { to: ['openid', 'email', 'usage:read'] } },
      },
    ]);
  });

  it('27 unticks a scope gives the rest, and the token says so', async () => {
    const path = oauth.authorizePath(app, { scope: 'openid email usage:read wallet:read' });
    const { code } = sentBack(await oauth.decide(member.browser, path, { scopes: ['openid', 'usage:read'] }));
    const tokens = tokensIn(await oauth.exchange(app, code!));
    expect(tokens.scope).toBe('openid usage:read');
    expect(await oauth.endOf(tokens.access, 'usage')).toBe('ok');
    expect(await oauth.endOf(tokens.access, 'wallet')).toBe('403 insufficient_scope');
  });

  it('27 unticks openid alone keeps it as long as email is ticked', async () => {
    await oauth.decide(member.browser, oauth.authorizePath(app), { scopes: ['email'] });
    expect((await grants())[0]!.scopes).toEqual(['openid', 'email']);
  });

  it('27 unticks everything is asked again, and gives nothing', async () => {
    const shown = await oauth.decide(member.browser, oauth.authorizePath(app), { scopes: [] });
    expect([shown.status, shown.location]).toEqual([400, null]);
    expect(shown.text).toContain('role="alert"');
    expect(shown.text).not.toContain(' checked');
    expect(await grants()).toEqual([]);
  });

  it('ticks what was not asked for gives only what was', async () => {
    const path = oauth.authorizePath(app, { scope: 'openid' });
    await oauth.decide(member.browser, path, { scopes: ['openid', 'wallet:read', 'nonsense'] });
    expect((await grants())[0]!.scopes).toEqual(['openid']);
  });

  it('has left every organization can only deny', async () => {
    await oauth.prisma.member.updateMany({ where: { userId: member.userId }, data: { state: 'removed' } });
    const path = oauth.authorizePath(app);
    const { text } = await member.browser.get(path);
    expect(text).toContain('not a member of any organization');
    expect(text).not.toContain('value="allow"');
    expect((await oauth.sendConsent(member.browser, path, text)).status).toBe(400);
    expect(sentBack(await oauth.sendConsent(member.browser, path, text, { decision: 'deny' }))['error']).toBe(
      'access_denied',
    );
  });

  it('is removed between the page and Allow gives nothing', async () => {
    const path = oauth.authorizePath(app);
    const { text } = await member.browser.get(path);
    await oauth.prisma.member.updateMany({ where: { userId: member.userId }, data: { state: 'removed' } });
    expect((await oauth.sendConsent(member.browser, path, text)).status).toBe(400);
    expect(await grants()).toEqual([]);
  });
});

describe('an app', () => {
  it('that is confidential and has all it asks for is not asked again; more is asked for', async () => {
    const path = oauth.authorizePath(app);
    await oauth.decide(member.browser, path);
    const { code } = sentBack(await member.browser.get(path));
    expect(tokensIn(await oauth.exchange(app, code!)).scope).toBe('openid email usage:read');
    const less = sentBack(await member.browser.get(oauth.authorizePath(app, { scope: 'openid' })));
    expect(tokensIn(await oauth.exchange(app, less['code']!)).scope).toBe('openid');
    expect(isAsked(await member.browser.get(oauth.authorizePath(app, { scope: 'openid wallet:read' })))).toBe(
      true,
    );
    expect(isAsked(await member.browser.get(oauth.authorizePath(app, { prompt: 'login consent' })))).toBe(
      true,
    );
  });

  it('that is public always asks', async () => {
    const publicApp = await oauth.newApp('public');
    const path = oauth.authorizePath(publicApp);
    await oauth.decide(member.browser, path);
    expect(isAsked(await member.browser.get(path))).toBe(true);
  });

  it('asks again once its grant is revoked, and codes of before are worth nothing', async () => {
    const path = oauth.authorizePath(app);
    const before = sentBack(await oauth.decide(member.browser, path))['code']!;
    await oauth.call('POST', `/api/v1/oauth/grants/${(await grants())[0]!.id}/revoke`, {
      headers: sessionHeaders(member.browser),
    });
    const page = await member.browser.get(path);
    expect(isAsked(page)).toBe(true);
    await oauth.sendConsent(member.browser, path, page.text);
    expect((await grants())[0]!.state).toBe('active');
    expect((await oauth.exchange(app, before)).body.error.code).toBe('invalid_grant');
  });

  it('that asks for other scopes keeps those that it was not asking for', async () => {
    await oauth.decide(member.browser, oauth.authorizePath(app, { scope: 'openid email' }));
    await oauth.decide(member.browser, oauth.authorizePath(app, { scope: 'email wallet:read' }), {
      scopes: ['wallet:read'],
    });
    expect((await grants())[0]!.scopes).toEqual(['openid', 'wallet:read']);
  });
});

describe('a member of several organizations', () => {
  let other: string;
  beforeEach(async () => {
    other = await oauth.newOrganization('Other & Sons');
    await oauth.join(member.userId, other, 'viewer');
  });

  it('chooses where the app acts, and only among their own', async () => {
    const path = oauth.authorizePath(app);
    const { text } = await member.browser.get(path);
    expect(text).toContain('Other &amp; Sons');
    const foreign = (await oauth.newMember()).organizationId;
    for (const organizationId of [undefined, foreign, 'nonsense']) {
      const choice = organizationId === undefined ? {} : { organizationId };
      const shown = await oauth.sendConsent(member.browser, path, text, choice);
      expect(shown.status).toBe(400);
      expect(shown.text).toContain('Choose the organization');
    }
    expect(await grants()).toEqual([]);
    await oauth.sendConsent(member.browser, path, text, { organizationId: other });
    expect(await grants()).toMatchObject([{ organizationId: other }]);
  });

  it('28 has tokens that stay in the one that was chosen', async () => {
    const path = oauth.authorizePath(app);
    const { code } = sentBack(await oauth.decide(member.browser, path, { organizationId: other }));
    const tokens = await oauth.exchange(app, code!);
    expect(tokens.body.organization_id).toBe(other);
    const again = await oauth.decide(member.browser, oauth.authorizePath(app, { prompt: 'consent' }), {
      organizationId: member.organizationId,
    });
    expect((await oauth.exchange(app, sentBack(again)['code']!)).body.organization_id).toBe(
      member.organizationId,
    );
    expect((await oauth.probe(tokens.body.access_token)).body.organization_id).toBe(other);
    const headers = { 'svc-organization': member.organizationId };
    expect((await oauth.probe(tokens.body.access_token, 'usage', headers)).status).toBe(404);
  });

  it('is not asked again where only one is meant; but where the app is in both', async () => {
    const path = oauth.authorizePath(app);
    await oauth.decide(member.browser, path, { organizationId: other });
    const { code } = sentBack(await member.browser.get(path));
    expect((await oauth.exchange(app, code!)).body.organization_id).toBe(other);
    await oauth.decide(member.browser, oauth.authorizePath(app, { prompt: 'consent' }), {
      organizationId: member.organizationId,
    });
    expect(isAsked(await member.browser.get(path))).toBe(true);
  });

  it('is offered no suspended one', async () => {
    await oauth.prisma.organization.update({ where: { id: other }, data: { state: 'suspended' } });
    expect((await member.browser.get(oauth.authorizePath(app))).text).not.toContain('Other');
  });
});

describe('a consent form', () => {
  let path: string;
  let page: string;
  beforeEach(async () => {
    path = oauth.authorizePath(app);
    page = (await member.browser.get(path)).text;
  });
  const send = (fields: Readonly<Record<string, string>>, by: Visitor = member.browser, to: string = path) =>
    by.post(to, { ...hiddenFields(page), scope: 'openid', decision: 'allow', ...fields });

  it('23 without its token, or with one of another kind, is refused', async () => {
    const secret = member.browser.cookies.get('svc_session')!;
    for (const csrf_token of ['', 'x', csrfTokenFor(secret)]) {
      expect((await send({ csrf_token })).status).toBe(403);
    }
    const { csrf_token: _, ...rest } = hiddenFields(page);
    expect((await member.browser.post(path, { ...rest, decision: 'allow' })).status).toBe(400);
    expect(await grants()).toEqual([]);
  });

  it('23 24 that was shown to another session is refused, the same user’s too', async () => {
    const stranger = (await oauth.newMember()).browser;
    const sameUser = await oauth.logIn(member.userId);
    for (const browser of [stranger, sameUser]) expect((await send({}, browser)).status).toBe(403);
    expect((await send({}, new Visitor(oauth.url))).location).toMatch(/^\/auth\/login/);
    expect(await grants()).toEqual([]);
  });

  it('23 that was shown for another request is refused', async () => {
    const other = await oauth.newApp();
    const changed = [
      oauth.authorizePath(app, { scope: 'openid wallet:read' }),
      oauth.authorizePath(app, { state: 'other' }),
      oauth.authorizePath(app, { code_challenge: 'A'.repeat(43) }),
      oauth.authorizePath(other),
    ];
    for (const to of changed) expect((await send({}, member.browser, to)).status).toBe(403);
    expect(await grants()).toEqual([]);
  });

  it.each(['redirect_uri', 'client_id', 'state', 'code_challenge'])(
    '23 with %s in its body is refused',
    async (name) => {
      expect((await send({ [name]: 'https://evil.test' })).status).toBe(400);
      expect(await grants()).toEqual([]);
    },
  );

  it('23 of another site is refused', async () => {
    const fields = { ...hiddenFields(page), scope: 'openid', decision: 'allow' };
    const headers = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.test' }];
    for (const each of headers) expect((await member.browser.post(path, fields, each)).status).toBe(403);
    expect(await grants()).toEqual([]);
  });

  it('23 that is sent twice consents twice, with a code of its own each time', async () => {
    const codes = [sentBack(await send({}))['code']!, sentBack(await send({}))['code']!];
    expect(new Set(codes).size).toBe(2);
    expect(await grants()).toHaveLength(1);
  });

  it('with a decision that is none is refused', async () => {
    expect((await send({ decision: 'maybe' })).status).toBe(400);
  });
});
