import {
  basic,
  CALLBACK,
  OauthUnderTest,
  refusedWith,
  VERIFIER,
  type Answered,
  type TestApp,
  type TestMember,
} from '../testing/oauth-under-test';

const TOKEN = '/api/v1/oauth/token';

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
// Failures of earlier tests must not count.
beforeEach(() => oauth.passGuesses(30 * 60_000));
afterAll(() => oauth.close());

/** An exchange of a fresh code, authenticated by these fields and headers alone. */
async function authenticated(
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
  by: TestApp = app,
): Promise<Answered> {
  const code = await oauth.newCode(by, member);
  const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER };
  return oauth.post(TOKEN, new URLSearchParams({ ...form, ...fields }), headers);
}

const byBasic = (authorization: string, fields: Readonly<Record<string, string>> = {}, by: TestApp = app) =>
  authenticated(fields, { authorization }, by);
const percent = (text: string) => text.replace(/[^A-Za-z0-9]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);

describe('a client', () => {
  it.each([
    ['raw', (text: string) => text],
    ['every sign percent-encoded', percent],
    ['percent-encoded in capitals', (text: string) => percent(text).replace(/%../g, (e) => e.toUpperCase())],
  ])('44 may send Basic credentials %s', async (_, encoded) => {
    expect((await byBasic(basic(encoded(app.clientId), encoded(app.secret!)))).status).toBe(200);
  });

  it('44 may name itself in the body beside Basic', async () => {
    const right = basic(app.clientId, app.secret!);
    expect((await byBasic(right, { client_id: app.clientId })).status).toBe(200);
    expect((await byBasic(right, { client_id: '', client_secret: '' })).status).toBe(200);
  });

  it('45 may write basic in any case', async () => {
    const right = basic(app.clientId, app.secret!);
    expect((await byBasic(right.replace('Basic', 'bAsIc'))).status).toBe(200);
  });

  it('48 that is confidential needs its secret, whatever the verifier', async () => {
    expect(await authenticated({ client_id: app.clientId })).toMatchObject(
      refusedWith('invalid_client', 401),
    );
    expect(await byBasic(basic(app.clientId, ''))).toMatchObject(refusedWith('invalid_client', 401));
  });

  it('49 that is public must send no secret, and may send an empty one', async () => {
    const { clientId: client_id } = publicApp;
    for (const client_secret of ['x', `svc_cs_${'A'.repeat(43)}`]) {
      expect(await authenticated({ client_id, client_secret }, {}, publicApp)).toMatchObject(
        refusedWith('invalid_client', 401),
      );
    }
    expect((await authenticated({ client_id, client_secret: '' }, {}, publicApp)).status).toBe(200);
    expect((await byBasic(basic(client_id, ''), {}, publicApp)).status).toBe(200);
  });

  it('51 has its own secret only', async () => {
    const other = await oauth.newApp();
    expect(await authenticated({ client_id: app.clientId, client_secret: other.secret! })).toMatchObject(
      refusedWith('invalid_client', 401),
    );
  });

  it('52 that is unknown is refused in the words of a wrong secret', async () => {
    const answers = [
      await authenticated({ client_id: `svc_client_${'A'.repeat(43)}`, client_secret: app.secret! }),
      await authenticated({ client_id: app.clientId, client_secret: `svc_cs_${'A'.repeat(43)}` }),
      await authenticated({ client_id: 'malformed', client_secret: app.secret! }),
      await authenticated({ client_id: app.clientId }),
    ];
    const [first] = answers;
    for (const { status, headers, body } of answers) {
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBeNull();
      expect(headers.get('cache-control')).toBe('no-store');
      expect({ ...body.error, request_id: '' }).toEqual({ ...first!.body.error, request_id: '' });
      expect(body.error).toMatchObject({ type: 'authentication', code: 'invalid_client', retriable: false });
    }
  });

  it('of a revoked app is refused', async () => {
    const revoked = await oauth.newApp();
    const code = await oauth.newCode(revoked, member);
    await oauth.prisma.oauthApp.update({ where: { id: revoked.id }, data: { state: 'revoked' } });
    expect(await oauth.exchange(revoked, code)).toMatchObject(refusedWith('invalid_client', 401));
  });
});

describe('Basic credentials', () => {
  it.each([
    ['45 that cannot be decoded', () => basic('%ZZ', 'x')],
    ['45 without a colon', () => `Basic ${Buffer.from('abc').toString('base64')}`],
    ['45 without an id', () => basic('', app.secret!)],
    ['45 without a secret', () => basic(app.clientId, '')],
    ['45 with a colon in the secret', () => basic(app.clientId, `${app.secret!}:x`)],
    ['45 that are no UTF-8', () => `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`],
    ['45 that are no base64', () => 'Basic !!!'],
    ['45 that are empty', () => 'Basic '],
    ['53 of the scheme Bearer', () => `Bearer ${app.secret!}`],
    ['51 of another app', () => basic(publicApp.clientId, app.secret!)],
  ])('%s are invalid_client, and the answer names the scheme', async (_, authorization) => {
    const answer = await byBasic(authorization());
    expect(answer).toMatchObject(refusedWith('invalid_client', 401));
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
  });

  it('46 together with a secret in the body are invalid_request, whichever is right', async () => {
    const [right, wrong] = [app.secret!, `svc_cs_${'A'.repeat(43)}`];
    for (const [inHeader, inBody] of [
      [right, right],
      [right, wrong],
      [wrong, right],
    ] as const) {
      const answer = await byBasic(basic(app.clientId, inHeader), { client_secret: inBody });
      expect(answer).toMatchObject(refusedWith('invalid_request'));
    }
  });

  it('47 of another client than the body’s are invalid_request', async () => {
    const fields = { client_id: publicApp.clientId };
    expect(await byBasic(basic(app.clientId, app.secret!), fields)).toMatchObject(
      refusedWith('invalid_request'),
    );
  });
});

it('54 guesses at secrets are limited where they come from, and cost the right client nothing elsewhere', async () => {
  const other = await oauth.newApp();
  const guess = () =>
    oauth.token(app, { grant_type: 'refresh_token', refresh_token: 'x', client_secret: 'wrong' });
  const answers = await Promise.all(Array.from({ length: 20 }, guess));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  const limited = answers.filter(({ status }) => status === 429);
  expect(limited).toHaveLength(15);
  expect(Number(limited[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(limited[0]!.headers.get('cache-control')).toBe('no-store');
  expect((await oauth.exchange(other, await oauth.newCode(other, member))).status).toBe(200);
  await oauth.passGuesses(5 * 60_000);
  expect((await oauth.exchange(app, await oauth.newCode(app, member))).status).toBe(200);
});

it('54 many good calls at once are never taken for guesses', async () => {
  const codes = [];
  for (let each = 0; each < 12; each++) codes.push(await oauth.newCode(app, member));
  const answers = await Promise.all(codes.map((code) => oauth.exchange(app, code)));
  expect(answers.map(({ status }) => status)).toEqual(codes.map(() => 200));
});

describe('55 the token route', () => {
  const json = { 'content-type': 'application/json' };
  it.each<[string, string, Record<string, string>]>([
    ['XML', '<grant_type>refresh_token</grant_type>', { 'content-type': 'application/xml' }],
    ['multipart', '--x\r\n\r\n--x--', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['text', 'grant_type=refresh_token', { 'content-type': 'text/plain' }],
    ['a JSON array', '[]', json],
    ['a JSON text', '"grant_type"', json],
    ['null', 'null', json],
    ['broken JSON', '{', json],
    ['an empty body', '', json],
    ['__proto__', '{"__proto__": {"grant_type": "refresh_token"}}', json],
    ['a number for a text', '{"grant_type": 7}', json],
    ['an object for a text', '{"grant_type": {"$ne": ""}}', json],
    [
      'an object for a client',
      '{"grant_type": "refresh_token", "refresh_token": "x", "client_id": {}}',
      json,
    ],
    [
      'more than a megabyte',
      `grant_type=${'x'.repeat(1_100_000)}`,
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
  ])('refuses %s with invalid_request', async (_, body, headers) => {
    const answer = await oauth.post(TOKEN, body, headers);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('is none for GET', async () => {
    expect((await oauth.get(`${TOKEN}?grant_type=refresh_token`)).status).toBe(405);
  });
});
