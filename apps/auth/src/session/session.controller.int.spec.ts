import { isCsrfTokenOf, isSecret, lifetimesMs, permissions, rolePermissions, secretHash } from '@svc/access';
import { SESSION_IDLE_MS } from '@svc/access/store';
import { emptyTestDatabase, openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { FakeClock } from '@svc/testing';
import { type AuthUnderTest, OWNER, startAuth } from '../testing/auth-under-test';
import { passGuesses } from '../testing/pass-guesses';
import { hiddenFields, Visitor } from '../testing/visitor';

const LOGIN = '/auth/login';
const SESSION = '/auth/session';

let test: TestDatabase;
let auth: AuthUnderTest;
let clock: FakeClock;
let visitor: Visitor;
const logged: string[] = [];

beforeAll(async () => {
  test = await openTestDatabase();
  clock = new FakeClock();
  auth = await startAuth({ database: test.database, clock, logged });
});
beforeEach(async () => {
  // Failures of earlier tests must not count.
  await passGuesses(test.database, 3_600_000);
  visitor = new Visitor(auth.url);
  logged.splice(0);
});
afterAll(async () => {
  await auth.close();
  await test.close();
});

const json = (text: string) => JSON.parse(text) as Record<string, unknown>;
const logIn = (by: Visitor = visitor) => by.submit(LOGIN, OWNER);
const sessionCookie = (by: Visitor = visitor) => by.cookies.get('svc_session')!;

describe('a login by form', () => {
  it('opens a session, leads to the console, and shows whose it is', async () => {
    const answer = await logIn();
    expect([answer.status, answer.location]).toEqual([303, '/console/']);
    const page = await visitor.get(LOGIN);
    expect(page.status).toBe(200);
    expect(page.text).toContain('You are logged in');
    expect(page.text).toContain('href="/console/"');
    expect(page.text).toContain(OWNER.email);
  });

  it('takes the address in any case, with spaces around it', async () => {
    expect((await visitor.submit(LOGIN, { ...OWNER, email: ' Owner@Example.COM ' })).status).toBe(303);
  });

  it('goes where the visitor came from, also after a wrong password', async () => {
    const back = '/auth/oauth/authorize?client_id=a&state=b%20c';
    const page = `${LOGIN}?return_to=${encodeURIComponent(back)}`;
    const refused = await visitor.submit(page, { ...OWNER, password: 'wrong' });
    expect(hiddenFields(refused.text)['return_to']).toBe(back);
    const answer = await visitor.post(LOGIN, { ...hiddenFields(refused.text), ...OWNER });
    expect(answer.location).toBe(back);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https:evil.example',
    '/\t/evil.example',
    '/.//evil.example',
  ])('goes nowhere else (%j)', async (evil) => {
    const { text } = await visitor.get(`${LOGIN}?return_to=${encodeURIComponent(evil)}`);
    expect(hiddenFields(text)).not.toHaveProperty('return_to');
    const answer = await visitor.submit(LOGIN, { ...OWNER, return_to: evil });
    expect([answer.status, answer.location]).toEqual([303, '/console/']);
    expect((await visitor.get(`${LOGIN}?return_to=${encodeURIComponent(evil)}`)).status).toBe(200);
  });

  it('is not asked of who is logged in already', async () => {
    await logIn();
    const answer = await visitor.get(`${LOGIN}?return_to=/a?b=c`);
    expect([answer.status, answer.location]).toEqual([303, '/a?b=c']);
  });

  it('answers a wrong password and an unknown account alike', async () => {
    const answers = [];
    for (const email of [OWNER.email, 'nobody@example.com']) {
      const answer = await new Visitor(auth.url).submit(LOGIN, { email, password: 'wrong' });
      expect(answer.headers.getSetCookie()).toEqual([]);
      answers.push([answer.status, answer.text.replaceAll(email, '').replace(/value="[\w-]{43}"/, '')]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]![0]).toBe(401);
    expect(answers[0]![1]).toContain('The e-mail address or the password is wrong.');
  });

  it('shows an address that is markup as text', async () => {
    const email = '"><script>alert(1)</script>';
    const { status, text } = await visitor.submit(LOGIN, { email, password: 'x' });
    expect(status).toBe(401);
    expect(text).not.toContain('<script');
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;');
  });

  it.each([
    ['a\u0000@example.com', 400],
    ['', 401],
    ['nobody', 401],
    ['x'.repeat(255), 400],
  ])('survives the address %j', async (email, status) => {
    expect((await visitor.submit(LOGIN, { email, password: 'x' })).status).toBe(status);
  });
});

describe('the login form', () => {
  it.each([
    ['without its token', {}],
    ['with an empty token', { csrf_token: '' }],
    ['with a made-up token', { csrf_token: 'x'.repeat(43) }],
  ])('is refused %s', async (_, fields) => {
    await visitor.get(LOGIN);
    for (const headers of [{ origin: 'null' }, { 'sec-fetch-site': 'same-origin' }]) {
      expect((await visitor.post(LOGIN, { ...OWNER, ...fields }, headers)).status).toBe(403);
    }
    expect(visitor.cookies.has('svc_session')).toBe(false);
  });

  it('needs no token of a program, which no other site can make send it', async () => {
    expect((await visitor.post(LOGIN, { ...OWNER, password: 'wrong' })).status).toBe(401);
    const answer = await visitor.post(LOGIN, OWNER);
    expect([answer.status, answer.location]).toEqual([303, '/console/']);
    expect((await visitor.get(SESSION)).status).toBe(200);
    expect((await new Visitor(auth.url).post(LOGIN, { ...OWNER, csrf_token: '' })).status).toBe(403);
  });

  it('is refused with the token of another browser', async () => {
    const other = new Visitor(auth.url);
    const fields = hiddenFields((await other.get(LOGIN)).text);
    await visitor.get(LOGIN);
    expect((await visitor.post(LOGIN, { ...OWNER, ...fields })).status).toBe(403);
    visitor.cookies.clear();
    expect((await visitor.post(LOGIN, { ...OWNER, ...fields })).status).toBe(403);
    expect((await other.post(LOGIN, { ...OWNER, ...fields })).status).toBe(303);
  });

  it('is good in two tabs at once', async () => {
    const first = hiddenFields((await visitor.get(LOGIN)).text);
    await visitor.get(LOGIN);
    expect((await visitor.post(LOGIN, { ...OWNER, ...first })).status).toBe(303);
  });

  it('refuses a field twice, and one that it does not have', async () => {
    const fields = { ...hiddenFields((await visitor.get(LOGIN)).text), ...OWNER };
    const twice = `${new URLSearchParams(fields).toString()}&email=other%40example.com`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await visitor.send(LOGIN, { method: 'POST', headers, body: twice })).status).toBe(400);
    expect((await visitor.post(LOGIN, { ...fields, is_admin: '1' })).status).toBe(400);
  });

  it('reads no body beyond what a form needs', async () => {
    const answer = await visitor.submit(LOGIN, { ...OWNER, password: 'x'.repeat(70_000) });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('larger than this route takes');
  });
});

describe('a page of another site', () => {
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://svc.example' },
    { origin: 'http://evil.example' },
    { origin: 'http://svc.example.evil.example' },
  ];

  it.each(foreign)('logs nobody in (%j)', async (headers) => {
    expect((await visitor.submit(LOGIN, OWNER, headers)).status).toBe(403);
    expect((await visitor.postJson(LOGIN, OWNER, headers)).status).toBe(403);
    expect(visitor.cookies.has('svc_session')).toBe(false);
  });

  it.each(foreign)('logs nobody out (%j)', async (headers) => {
    await logIn();
    expect((await visitor.submit(LOGIN, {}, headers)).status).toBe(403);
    expect((await visitor.get(SESSION)).status).toBe(200);
  });

  it.each([
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
    { 'sec-fetch-site': 'none' },
    { origin: 'null' },
    { origin: 'http://svc.example' },
  ])('is not what %j says', async (headers) => {
    expect((await visitor.submit(LOGIN, OWNER, headers)).status).toBe(303);
  });

  it('is not the address that the browser itself uses', async () => {
    expect((await visitor.submit(LOGIN, OWNER, { origin: auth.url })).status).toBe(303);
  });
});

describe('a login by JSON', () => {
  it('answers with the session and sets its cookie', async () => {
    const answer = await visitor.postJson(LOGIN, OWNER);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const body = json(answer.text);
    expect(body).toEqual({
      user: { id: expect.stringMatching(/^usr_/), email: OWNER.email },
      organizations: [
        {
          id: auth.organizationId,
          name: 'Acme',
          state: 'active',
          role: 'owner',
          permissions,
          member_id: expect.stringMatching(/^mem_/),
        },
      ],
      expires_at: new Date(clock.now() + lifetimesMs.session).toISOString(),
      csrf_token: expect.any(String),
    });
    expect(isCsrfTokenOf(sessionCookie(), String(body['csrf_token']))).toBe(true);
    expect(json((await visitor.get(SESSION)).text)).toEqual(body);
  });

  it('answers a wrong one with the envelope, the same for every cause', async () => {
    const answers = await Promise.all(
      [OWNER.email, 'nobody@example.com'].map((email) =>
        visitor.postJson(LOGIN, { email, password: 'wrong' }),
      ),
    );
    const errors = answers.map(({ text }) => ({ ...(json(text)['error'] as object), request_id: '' }));
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect(errors[0]).toEqual(errors[1]);
    expect(errors[0]).toMatchObject({ type: 'authentication', retriable: false });
  });

  it.each([
    [{ email: OWNER.email }, 'password'],
    [{ ...OWNER, email: 7 }, 'email'],
    [{ ...OWNER, email: 'a\u0000@example.com' }, 'email'],
    [{ ...OWNER, password: 'x'.repeat(513) }, 'password'],
    [{ ...OWNER, remember: true }, 'remember'],
    [[OWNER], undefined],
    ['text', undefined],
  ])('names the field at fault of %j', async (body, param) => {
    const answer = await visitor.postJson(LOGIN, body);
    expect(answer.status).toBe(400);
    expect((json(answer.text)['error'] as { param?: string }).param).toBe(param);
  });

  it('cannot be sent as what a form of another site may send', async () => {
    const body = JSON.stringify(OWNER);
    const answer = await visitor.send(LOGIN, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body,
    });
    expect(answer.status).toBe(400);
  });
});

describe('a session', () => {
  it('is kept as its hash only, in a cookie that no script and no other site gets', async () => {
    const answer = await logIn();
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('svc_session='))!;
    expect(isSecret('session', sessionCookie())).toBe(true);
    expect(cookie.split('; ').slice(1).sort()).toEqual([
      'HttpOnly',
      `Max-Age=${String(lifetimesMs.session / 1000)}`,
      'Path=/',
      'SameSite=Lax',
    ]);
    const { rows } = await test.database.pool.query<{ secret_sha256: Buffer }>(
      'SELECT * FROM console_sessions',
    );
    expect(rows.map((row) => row.secret_sha256)).toContainEqual(secretHash(sessionCookie()));
    expect(JSON.stringify(rows)).not.toContain(sessionCookie());
  });

  it('is never one that was there before the login', async () => {
    const planted = `svc_ss_${'A'.repeat(43)}`;
    visitor.cookies.set('svc_session', planted);
    await logIn();
    expect(sessionCookie()).not.toBe(planted);
    const first = sessionCookie();
    const fields = hiddenFields((await new Visitor(auth.url).get(LOGIN)).text);
    expect(fields).toHaveProperty('csrf_token');
    await visitor.postJson(LOGIN, OWNER);
    expect(sessionCookie()).not.toBe(first);
    const thief = new Visitor(auth.url);
    thief.cookies.set('svc_session', first);
    expect((await thief.get(SESSION)).status).toBe(401);
  });

  it.each(['', 'nonsense', `svc_ss_${'A'.repeat(43)}`, '%00', '"quoted"'])(
    'is not the cookie %j',
    async (value) => {
      visitor.cookies.set('svc_session', value);
      const answer = await visitor.get(SESSION, { accept: 'application/json' });
      expect(answer.status).toBe(401);
      expect(json(answer.text)).toMatchObject({ error: { type: 'authentication' } });
      expect((await visitor.get(LOGIN)).status).toBe(200);
    },
  );

  it('goes on while it is used, and ends when nobody used it for long', async () => {
    await logIn();
    for (let time = 0; time < 4; time++) {
      clock.advance(SESSION_IDLE_MS - 1);
      expect((await visitor.get(SESSION)).status).toBe(200);
    }
    clock.advance(SESSION_IDLE_MS);
    expect((await visitor.get(SESSION)).status).toBe(401);
  });

  it('ends after its lifetime, however much it is used', async () => {
    await logIn();
    const hours = lifetimesMs.session / 3_600_000;
    for (let hour = 0; hour < hours - 10; hour += 10) {
      clock.advance(10 * 3_600_000);
      expect((await visitor.get(SESSION)).status).toBe(200);
    }
    clock.advance(10 * 3_600_000);
    expect((await visitor.get(SESSION)).status).toBe(401);
  });
});

describe('a logout', () => {
  it('by form ends the session at once, for whoever has a copy of the cookie', async () => {
    await logIn();
    const copy = new Visitor(auth.url);
    copy.cookies.set('svc_session', sessionCookie());
    const answer = await visitor.submit(LOGIN, {});
    expect([answer.status, answer.location]).toEqual([303, LOGIN]);
    expect(visitor.cookies.has('svc_session')).toBe(false);
    expect((await copy.get(SESSION)).status).toBe(401);
  });

  it('by a script takes the token in its header', async () => {
    const { csrf_token } = json((await visitor.postJson(LOGIN, OWNER)).text);
    const out = (headers: Record<string, string>) =>
      visitor.send('/auth/logout', { method: 'POST', headers });
    expect((await out({})).status).toBe(403);
    expect((await out({ 'x-csrf-token': 'x'.repeat(43) })).status).toBe(403);
    expect((await visitor.get(SESSION)).status).toBe(200);
    const answer = await out({ 'x-csrf-token': String(csrf_token) });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await out({})).status).toBe(204);
  });

  it('is refused with the token of another session', async () => {
    const other = new Visitor(auth.url);
    await logIn(other);
    const { csrf_token } = json((await other.get(SESSION)).text);
    await logIn();
    expect((await visitor.post('/auth/logout', { csrf_token: String(csrf_token) })).status).toBe(403);
    expect((await visitor.get(SESSION)).status).toBe(200);
  });
});

describe('failed logins', () => {
  let begunMs: number;
  beforeEach(() => (begunMs = Date.now()));
  const guess = (password: string) => visitor.postJson(LOGIN, { email: OWNER.email, password });
  /** A minute, less the time since the first guess. */
  const expectAMinute = (seconds: number) => {
    const spentSeconds = (Date.now() - begunMs) / 1_000;
    expect(seconds).toBeGreaterThanOrEqual(59 - spentSeconds);
    expect(seconds).toBeLessThanOrEqual(60);
  };

  it('are limited, with the time to wait, until it has passed', async () => {
    const answers = [];
    for (let time = 0; time < 6; time++) answers.push(await guess(`wrong ${String(time)}`));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
    expectAMinute(Number(answers[5]!.headers.get('retry-after')));
    expect(json(answers[5]!.text)).toMatchObject({ error: { type: 'rate_limit', retriable: true } });
    expect((await guess(OWNER.password)).status).toBe(429);
    await passGuesses(test.database, 60_000);
    expect((await guess(OWNER.password)).status).toBe(200);
  });

  it('are limited when they come all at once, too', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => guess(`wrong ${String(at)}`)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
  });

  it('are limited on a page that says so', async () => {
    for (let time = 0; time < 5; time++) await guess('wrong');
    const { status, headers, text } = await visitor.submit(LOGIN, OWNER);
    expect(status).toBe(429);
    expectAMinute(Number(headers.get('retry-after')));
    expect(text).toContain(`Try again in ${String(headers.get('retry-after'))} s.`);
  });

  it('are logged without what was typed', async () => {
    await guess('hunter2 hunter2');
    await guess(OWNER.password);
    const lines = logged.map(json).filter(({ msg }) => msg === 'login');
    expect(lines.map(({ outcome }) => outcome)).toEqual(['refused', 'succeeded']);
    expect(lines[0]).toMatchObject({ request_id: expect.stringMatching(/^req_/), address: '127.0.0.1' });
    expect(logged.join()).not.toMatch(/hunter2|battery|svc_ss_|@example/);
  });
});

describe('the user of a session', () => {
  let own: TestDatabase;
  let server: AuthUnderTest;
  beforeEach(async () => {
    own = await emptyTestDatabase();
    server = await startAuth({ database: own.database, clock });
    visitor = new Visitor(server.url);
    await logIn();
  });
  afterEach(async () => {
    await server.close();
    await own.close();
  });

  it('is shown what they may do now', async () => {
    const organizations = async () => json((await visitor.get(SESSION)).text)['organizations'];
    await own.database.prisma.member.updateMany({ data: { role: 'viewer' } });
    await own.database.prisma.organization.updateMany({ data: { state: 'suspended' } });
    const [shown] = (await organizations()) as { permissions: string[] }[];
    expect(shown).toMatchObject({
      id: server.organizationId,
      name: 'Acme',
      state: 'suspended',
      role: 'viewer',
    });
    expect(new Set(shown!.permissions)).toEqual(rolePermissions.viewer);
    await own.database.prisma.member.updateMany({ data: { state: 'removed' } });
    expect(await organizations()).toEqual([]);
    expect((await visitor.get(LOGIN)).text).toContain('not a member of any organization');
  });

  it('takes it along', async () => {
    await own.database.prisma.member.deleteMany();
    await own.database.prisma.user.deleteMany();
    expect((await visitor.get(SESSION)).status).toBe(401);
  });
});

describe('over https', () => {
  it('every cookie is secure, and the form’s is of this very origin', async () => {
    const server = await startAuth({ database: test.database, clock, baseUrl: 'https://svc.example' });
    visitor = new Visitor(server.url);
    const lines = [(await visitor.get(LOGIN)).headers, (await logIn()).headers].flatMap((headers) =>
      headers.getSetCookie(),
    );
    await server.close();
    expect(lines.map((line) => line.split('=')[0])).toEqual(['__Host-svc_form', 'svc_session']);
    for (const line of lines) expect(line).toMatch(/; Secure/);
  });
});
