import {
  CALLBACK,
  CHALLENGE,
  OauthUnderTest,
  type TestApp,
  type TestMember,
} from '../testing/oauth-under-test';
import { Visitor, type Shown } from '../testing/visitor';

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

type Changes = Readonly<Record<string, string | null>>;

const open = (changes: Changes = {}, by: TestApp = app) =>
  member.browser.get(oauth.authorizePath(by, changes));

function expectErrorPage({ status, location, text, headers }: Shown): void {
  expect({ status, location }).toEqual({ status: 400, location: null });
  expect(headers.get('content-type')).toContain('text/html');
  expect(text).toContain('This app cannot be allowed');
}

/** The parameters of the redirect to the app. */
function sentBack({ status, location }: Shown, redirectUri: string = CALLBACK): Record<string, string> {
  expect(status).toBe(303);
  expect(location!.startsWith(redirectUri)).toBe(true);
  return Object.fromEntries(new URL(location!).searchParams);
}

const codesMade = () => oauth.prisma.authorizationCode.count();

describe('a redirect URI', () => {
  const registered = 'https://app.example/cb/in';
  let strict: TestApp;
  let loopback: TestApp;
  beforeAll(async () => {
    strict = await oauth.newApp('public', { redirectUris: [registered] });
    loopback = await oauth.newApp('public', { redirectUris: ['http://127.0.0.1:8123/cb'] });
  });

  it('as it was registered shows the consent page', async () => {
    expect((await open({ redirect_uri: registered }, strict)).text).toContain('Allow');
  });

  it.each([
    ['1 a slash more', `${registered}/`],
    ['2 another case of the scheme and host', 'HTTPS://App.example/cb/in'],
    ['2 another case of the path', 'https://app.example/CB/in'],
    ['3 a query more', `${registered}?x=1`],
    ['4 a fragment', `${registered}#frag`],
    ['5 a user that looks like the host', 'https://app.example@evil.test/cb/in'],
    ['6 the host as another one’s subdomain', 'https://app.example.evil.test/cb/in'],
    ['7 a step up', `${registered}/..`],
    ['7 a step up, encoded', `${registered}/..%2F`],
    ['7 dots, encoded', `${registered}/%2e%2e/`],
    ['7 dots, encoded twice', `${registered}/%252e%252e%252F`],
    ['7 a path parameter', `${registered};/../`],
    ['7 a line break', `${registered}%0A%0D`],
    ['7 a real line break', `${registered}\r\n`],
    ['7 a NUL', `${registered}\0`],
    ['8 the default port', 'https://app.example:443/cb/in'],
    ['8 a name in other letters', 'https://аpp.example/cb/in'],
    ['8 a backslash', 'https://app.example\\cb\\in'],
    ['8 a tab', 'https://app.exa\tmple/cb/in'],
    ['8 a space at its end', `${registered} `],
    ['8 another scheme', 'http://app.example/cb/in'],
    ['8 no scheme', '//app.example/cb/in'],
    ['8 a script', 'javascript:alert(1)'],
  ])('with %s is refused on a page', async (_, redirectUri) => {
    expectErrorPage(await open({ redirect_uri: redirectUri }, strict));
  });

  it.each([
    'http://127.0.0.1:8124/cb',
    'http://127.0.0.1/cb',
    'http://localhost:8123/cb',
    'http://[::1]:8123/cb',
    'http://127.0.0.1.nip.io:8123/cb',
    'http://0.0.0.0:8123/cb',
    'http://2130706433:8123/cb',
    'http://127.1:8123/cb',
  ])('9 that was registered for a loopback host is not %s', async (redirectUri) => {
    expectErrorPage(await open({ redirect_uri: redirectUri }, loopback));
  });

  it.each([
    ['https://app.example/cb?x=1', 'https://app.example/cb?x=1&'],
    ['https://app.example/cb?x=1&y=%20z', 'https://app.example/cb?x=1&y=%20z&'],
    ['https://app.example', 'https://app.example?'],
  ])('11 %s keeps its own query in success, denial and error', async (redirectUri, before) => {
    const one = await oauth.newApp('public', { redirectUris: [redirectUri] });
    const path = oauth.authorizePath(one, { redirect_uri: redirectUri });
    const allowed = sentBack(await oauth.decide(member.browser, path), before);
    expect(allowed).toMatchObject({ code: expect.stringMatching(/^svc_ac_/), state: 'state-1' });
    const denied = await oauth.decide(member.browser, path, { decision: 'deny' });
    expect(sentBack(denied, before)).toMatchObject({ error: 'access_denied', state: 'state-1' });
    const wrong = await open({ redirect_uri: redirectUri, scope: 'nonsense' }, one);
    expect(sentBack(wrong, before)).toMatchObject({ error: 'invalid_scope', state: 'state-1' });
  });

  it.each([[null], ['']])(
    '13 left out (%p) is refused on a page, however many are registered',
    async (given) => {
      expectErrorPage(await open({ redirect_uri: given }, strict));
    },
  );
});

describe('a client', () => {
  it.each([
    ['left out', null],
    ['empty', ''],
    ['malformed', 'my-own-client'],
    ['hostile', "svc_client_' OR 1=1 --"],
    ['with markup', '<script>alert(1)</script>'],
    ['that never was', `svc_client_${'A'.repeat(43)}`],
  ])('20 %s is refused on a page that repeats nothing of it', async (_, clientId) => {
    const shown = await open({ client_id: clientId });
    expectErrorPage(shown);
    if (clientId) expect(shown.text).not.toContain(clientId);
  });

  it('20 that is revoked is refused on a page', async () => {
    const revoked = await oauth.newApp();
    await oauth.prisma.oauthApp.update({ where: { id: revoked.id }, data: { state: 'revoked' } });
    expectErrorPage(await open({}, revoked));
  });

  it('21 that is revoked between the page and Allow is refused on a page, and makes no grant', async () => {
    const doomed = await oauth.newApp();
    const path = oauth.authorizePath(doomed);
    const { text } = await member.browser.get(path);
    await oauth.prisma.oauthApp.update({ where: { id: doomed.id }, data: { state: 'revoked' } });
    expectErrorPage(await oauth.sendConsent(member.browser, path, text));
    expect(await oauth.prisma.oauthGrant.count({ where: { appId: doomed.id } })).toBe(0);
  });
});

describe('a parameter', () => {
  it.each(['client_id', 'redirect_uri'])('14 %s that is repeated is refused on a page', async (name) => {
    const path = `${oauth.authorizePath(app)}&${name}=again`;
    expectErrorPage(await member.browser.get(path));
  });

  it.each(['scope', 'code_challenge', 'code_challenge_method', 'response_type'])(
    '14 %s that is repeated is refused, and the app told',
    async (name) => {
      const shown = await member.browser.get(`${oauth.authorizePath(app)}&${name}=again`);
      expect(sentBack(shown)).toMatchObject({ error: 'invalid_request', state: 'state-1' });
    },
  );

  it('14 state that is repeated is refused, and neither is sent back', async () => {
    const told = sentBack(await member.browser.get(`${oauth.authorizePath(app)}&state=again`));
    expect(told['error']).toBe('invalid_request');
    expect(told).not.toHaveProperty('state');
  });

  it.each([
    'a b',
    'ä€👍',
    '&error=none',
    '"<>\'',
    '%00',
    'a\r\nSet-Cookie: a=b',
    '\u0000',
    'x'.repeat(4_096),
  ])('15 state %j comes back as it is', async (state) => {
    const shown = await oauth.decide(member.browser, oauth.authorizePath(app, { state }), {
      decision: 'deny',
    });
    expect(sentBack(shown)).toEqual({ of: 'app', error: 'access_denied', state });
    expect(shown.headers.get('set-cookie')).toBeNull();
  });

  it('15 state may be left out, and then none comes back', async () => {
    const path = oauth.authorizePath(publicApp, { state: null });
    expect(sentBack(await oauth.decide(member.browser, path))).not.toHaveProperty('state');
  });

  it('15 state of 10 kB is refused and not sent back; state[] is no state', async () => {
    expect(sentBack(await open({ state: 'x'.repeat(10_000) }))).toEqual({
      of: 'app',
      error: 'invalid_request',
      error_description: expect.stringContaining('state'),
    });
    const shown = await oauth.decide(
      member.browser,
      oauth.authorizePath(publicApp, { state: null, 'state[]': 'a' }),
    );
    expect(sentBack(shown)).not.toHaveProperty('state');
  });

  it.each([
    [null, 'invalid_request'],
    ['', 'invalid_request'],
    ['token', 'unsupported_response_type'],
    ['code token', 'unsupported_response_type'],
    ['toString', 'unsupported_response_type'],
    ['__proto__', 'unsupported_response_type'],
    ['CODE', 'unsupported_response_type'],
  ])('16 response_type %p is refused with %s', async (responseType, error) => {
    expect(sentBack(await open({ response_type: responseType }))).toMatchObject({ error, state: 'state-1' });
  });

  it.each([
    ['17 that nobody knows', { unknown: 'x', constructor: 'x' }],
    ['18 of another protocol', { prompt: 'none' }],
    ['18 of another protocol', { request: 'eyJ.eyJ.' }],
    ['18 of another protocol', { request_uri: 'https://evil.test/request' }],
    ['18 of another protocol', { resource: 'https://api.example' }],
    ['18 of another protocol', { response_mode: 'fragment' }],
    ['18 of another protocol', { nonce: 'n' }],
  ])('%s is ignored: %j', async (_, extra) => {
    const shown = await open(extra, publicApp);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('name="decision"');
  });

  it.each([[null], [''], ['nonsense'], ['openid nonsense'], ['openid,email'], ['inference:invoke']])(
    'scope %p is refused with invalid_scope',
    async (scope) => {
      expect(sentBack(await open({ scope }))).toMatchObject({ error: 'invalid_scope', state: 'state-1' });
    },
  );

  it('scope beyond the app’s is refused with invalid_scope', async () => {
    const narrow = await oauth.newApp('public', { scopes: ['openid'] });
    expect(sentBack(await open({ scope: 'openid wallet:read' }, narrow))['error']).toBe('invalid_scope');
  });
});

describe('a visitor who is not logged in', () => {
  it.each([
    ['a good request', {}],
    ['19 a wrong scope, which redirects nobody yet', { scope: 'nonsense' }],
    ['19 no challenge', { code_challenge: null }],
  ])('with %s logs in first, and comes back to the very same request', async (_, changes) => {
    const path = oauth.authorizePath(app, { state: 'a b&c', ...changes });
    const { status, location } = await new Visitor(oauth.url).get(path);
    expect(status).toBe(303);
    const login = new URL(location!, oauth.url);
    expect(login.pathname).toBe('/auth/login');
    const back = new URL(login.searchParams.get('return_to')!, oauth.url);
    expect([...back.searchParams]).toEqual([...new URL(path, oauth.url).searchParams]);
    expect((await new Visitor(oauth.url).get(location!)).text).toContain('name="return_to"');
  });

  it('19 with a wrong client or redirect URI sees the page, and no login', async () => {
    expectErrorPage(await new Visitor(oauth.url).get(oauth.authorizePath(app, { client_id: 'x' })));
    const elsewhere = oauth.authorizePath(app, { redirect_uri: 'https://evil.test' });
    expectErrorPage(await new Visitor(oauth.url).get(elsewhere));
  });
});

describe('PKCE', () => {
  const sloppy: readonly (readonly [string, Changes])[] = [
    ['29 no challenge', { code_challenge: null, code_challenge_method: null }],
    ['29 an empty challenge', { code_challenge: '' }],
    ['30 plain', { code_challenge_method: 'plain' }],
    ['30 s256', { code_challenge_method: 's256' }],
    ['30 S512', { code_challenge_method: 'S512' }],
    ['30 no method, which means plain', { code_challenge_method: null }],
    ['31 a challenge of 42 characters', { code_challenge: CHALLENGE.slice(1) }],
    ['31 a challenge of 44 characters', { code_challenge: `${CHALLENGE}A` }],
    ['31 a padded challenge', { code_challenge: `${CHALLENGE.slice(0, 42)}=` }],
    ['31 a challenge in plain base64', { code_challenge: `${CHALLENGE.slice(0, 41)}+/` }],
    ['31 a challenge that is no base64url', { code_challenge: `${CHALLENGE.slice(0, 42)}~` }],
  ];

  it.each(sloppy)('%s is refused for a confidential and for a public app', async (_, changes) => {
    const before = await codesMade();
    for (const by of [app, publicApp]) {
      expect(sentBack(await open(changes, by))).toMatchObject({ error: 'invalid_request', state: 'state-1' });
    }
    expect(await codesMade()).toBe(before);
  });
});
