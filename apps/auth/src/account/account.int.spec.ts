import { type Mail } from '@svc/http';
import { SESSION_IDLE_MS } from '@svc/access/store';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { FakeClock } from '@svc/testing';
import { OWNER, startAuth, type AuthUnderTest } from '../testing/auth-under-test';
import { passGuesses } from '../testing/pass-guesses';
import { hiddenFields, Visitor, type Shown } from '../testing/visitor';

const ACCOUNT = '/auth/account';
const PASSWORD = '/auth/password';
const SESSIONS = '/auth/sessions';
const mails: Mail[] = [];
const NEW_PASSWORD = 'three quiet hedgehogs';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

interface Session {
  readonly id: string;
  readonly current: boolean;
  readonly user_agent: string | null;
}

let test: TestDatabase;
let auth: AuthUnderTest;
let clock: FakeClock;
/** Logged in. */
let visitor: Visitor;
let startHash: string | null;

beforeAll(async () => {
  test = await openTestDatabase();
  clock = new FakeClock();
  const mailer = { send: (mail: Mail) => Promise.resolve(void mails.push(mail)) };
  auth = await startAuth({ database: test.database, clock, mailer });
  startHash = (await user()).passwordHash;
});
beforeEach(async () => {
  const { prisma } = test.database;
  await passGuesses(test.database, 3_600_000);
  await prisma.consoleSession.deleteMany();
  await prisma.user.updateMany({ data: { passwordHash: startHash } });
  visitor = await logIn();
});
afterAll(async () => {
  await auth.close();
  await test.close();
});

const user = () => test.database.prisma.user.findUniqueOrThrow({ where: { email: OWNER.email } });
const json = <T>({ text }: Shown) => JSON.parse(text) as T;

async function logIn(password: string = OWNER.password, userAgent = FIREFOX): Promise<Visitor> {
  const by = new Visitor(auth.url);
  const answer = await by.postJson('/auth/login', { ...OWNER, password }, { 'user-agent': userAgent });
  if (answer.status !== 200) throw new Error(answer.text);
  return by;
}

const csrfOf = async (by: Visitor) => json<{ csrf_token: string }>(await by.get('/auth/session')).csrf_token;
const isLive = async (by: Visitor) => (await by.get('/auth/session')).status === 200;
const sessionsOf = async (by: Visitor) => json<{ data: Session[] }>(await by.get(SESSIONS)).data;

async function changeByJson(current: string, next: string, by = visitor): Promise<Shown> {
  const body = { current_password: current, new_password: next };
  return by.postJson(PASSWORD, body, { 'x-csrf-token': await csrfOf(by) });
}

const remove = async (id: string, by = visitor) =>
  by.send(`${SESSIONS}/${id}`, { method: 'DELETE', headers: { 'x-csrf-token': await csrfOf(by) } });

describe('a change of the password', () => {
  it('takes the current one, ends every other session, and goes on in a new one', async () => {
    const other = await logIn();
    const stolen = new Visitor(auth.url);
    stolen.cookies.set('svc_session', visitor.cookies.get('svc_session')!);

    const changed = await changeByJson(OWNER.password, NEW_PASSWORD);
    expect(changed.status).toBe(204);

    expect(await isLive(visitor)).toBe(true);
    expect(await isLive(other)).toBe(false);
    expect(await isLive(stolen)).toBe(false);
    await expect(logIn(OWNER.password)).rejects.toThrow('invalid_login');
    expect(await isLive(await logIn(NEW_PASSWORD))).toBe(true);
    const { id } = await user();
    const requestId = changed.headers.get('x-request-id');
    expect(await test.database.prisma.auditEntry.findMany({ where: { requestId } })).toMatchObject([
      {
        organizationId: auth.organizationId,
        actorType: 'user',
        actorId: id,
        action: 'member.change_password',
        changes: {},
      },
    ]);
  });

  it('works by the page’s form, without a script', async () => {
    const answer = await visitor.submit(ACCOUNT, {
      current_password: OWNER.password,
      new_password: NEW_PASSWORD,
      repeated_password: NEW_PASSWORD,
    });
    expect([answer.status, answer.location]).toEqual([303, `${ACCOUNT}?done=password`]);
    expect((await visitor.get(answer.location!)).text).toContain('Your password is changed');
  });

  it('ends the link of an open reset', async () => {
    const { id } = await user();
    await test.database.prisma.passwordReset.create({
      data: { userId: id, secretSha256: new Uint8Array(32), mailed: true, expiresAt: new Date(9e12) },
    });
    await changeByJson(OWNER.password, NEW_PASSWORD);
    expect(await test.database.prisma.passwordReset.count()).toBe(0);
  });

  it('is told to the user by mail, once it is made', async () => {
    mails.length = 0;
    await changeByJson('wrong', NEW_PASSWORD);
    expect(mails).toEqual([]);
    expect((await changeByJson(OWNER.password, NEW_PASSWORD)).status).toBe(204);
    expect(mails).toMatchObject([{ to: OWNER.email, subject: 'Your password was changed' }]);
    expect(mails[0]!.text).not.toContain(NEW_PASSWORD);
  });

  it('with a wrong password is 401 invalid_login, and counted with the failed logins', async () => {
    for (let guess = 0; guess < 5; guess++) {
      const answer = await changeByJson('wrong', NEW_PASSWORD);
      expect(answer.status).toBe(401);
      expect(json<{ error: object }>(answer).error).toMatchObject({
        code: 'invalid_login',
        param: 'current_password',
      });
    }
    expect((await changeByJson(OWNER.password, NEW_PASSWORD)).status).toBe(429);
    await expect(logIn()).rejects.toThrow('rate_limit');
    expect(await isLive(visitor)).toBe(true);
  });

  it.each([
    ['short', 'at least 12'],
    ['x'.repeat(513), 'at most 512'],
    [OWNER.password, 'current one'],
    ['aaaaaaaaaaaa', 'Too many people'],
    ['Password1234', 'Too many people'],
    ['1qaz2wsx3edc', 'Too many people'],
  ])('to %j is refused, and no failed login', async (next, why) => {
    const answer = await changeByJson(OWNER.password, next);
    expect(answer.status).toBe(400);
    expect(json<{ error: object }>(answer).error).toMatchObject({
      code: 'invalid_request',
      param: 'new_password',
      message: expect.stringContaining(why) as string,
    });
  });

  it.each([
    ['the current one is wrong', { current_password: 'wrong' }, 401, 'The password is wrong.'],
    ['the two new ones differ', { repeated_password: 'three quiet hedgehog' }, 400, 'differ'],
  ])('by form says at its field that %s', async (_, fields, status, why) => {
    const answer = await visitor.submit(ACCOUNT, {
      current_password: OWNER.password,
      new_password: NEW_PASSWORD,
      repeated_password: NEW_PASSWORD,
      ...fields,
    });
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(new RegExp(`class="problem"[^>]*>[^<]*${why}`));
    expect(answer.text).toContain('<title>Error: Your account');
  });

  it('is made by one of two who send it at once', async () => {
    const other = await logIn();
    const answers = await Promise.all([
      changeByJson(OWNER.password, 'one quiet hedgehog'),
      changeByJson(OWNER.password, 'two quiet hedgehogs', other),
    ]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    // The slower change finds a changed password, a wrong one, or its session ended.
    expect([401, 409]).toContain(answers.find(({ status }) => status !== 204)!.status);
  });

  it('needs a session, its token, and a page of our own', async () => {
    const body = { current_password: OWNER.password, new_password: NEW_PASSWORD };
    expect((await new Visitor(auth.url).postJson(PASSWORD, body)).status).toBe(401);
    const answer = await visitor.postJson(PASSWORD, body);
    expect(answer.status).toBe(403);
    expect(json<{ error: object }>(answer).error).toMatchObject({ param: 'X-CSRF-Token' });
    const token = await csrfOf(visitor);
    const crossSite = { 'x-csrf-token': token, 'sec-fetch-site': 'cross-site' };
    expect((await visitor.postJson(PASSWORD, body, crossSite)).status).toBe(403);
  });
});

describe('the sessions of a user', () => {
  it('are listed newest first, with where and when they began, and which one asks', async () => {
    clock.advance(1000);
    await logIn(OWNER.password, `curl/8 ${'x'.repeat(400)}`);
    const { data } = json<{ data: Session[] }>(await visitor.get(SESSIONS));
    const at = (ms: number) => new Date(clock.now() + ms).toISOString();
    const days = 14 * 86_400_000;
    const id: unknown = expect.stringMatching(/^ses_[0-9a-z]{26}$/);
    expect(data).toEqual([
      {
        id,
        created_at: at(0),
        last_seen_at: at(0),
        expires_at: at(days),
        user_agent: `curl/8 ${'x'.repeat(293)}`,
        address: '127.0.0.1',
        current: false,
      },
      {
        id,
        created_at: at(-1000),
        last_seen_at: at(-1000),
        expires_at: at(days - 1000),
        user_agent: FIREFOX,
        address: '127.0.0.1',
        current: true,
      },
    ]);
    expect(data[0]!.id > data[1]!.id).toBe(true);
    expect(visitor.cookies.get('svc_session')).not.toContain(data[1]!.id.slice(4));
  });

  it('are those that are live, of nobody else', async () => {
    const ended = await logIn();
    await remove((await sessionsOf(ended)).find(({ current }) => current)!.id, ended);
    await logIn();
    clock.advance(SESSION_IDLE_MS);
    visitor = await logIn();
    const stranger = await test.database.prisma.user.create({
      data: { id: 'usr_s', email: 's@example.com' },
    });
    await test.database.prisma.consoleSession.create({
      data: {
        userId: stranger.id,
        secretSha256: new Uint8Array(32),
        createdAt: new Date(clock.now()),
        lastSeenAt: new Date(clock.now()),
        expiresAt: new Date(9e12),
      },
    });
    expect((await sessionsOf(visitor)).map(({ current }) => current)).toEqual([true]);
    await test.database.prisma.user.delete({ where: { id: stranger.id } });
  });

  it('end one by one, at once, and only one’s own', async () => {
    const other = await logIn();
    const [{ id }] = (await sessionsOf(visitor)).filter(({ current }) => !current) as [Session];
    expect((await remove(id)).status).toBe(204);
    expect(await isLive(other)).toBe(false);
    expect((await remove(id)).status).toBe(404);
    for (const unknown of ['ses_00000000000000000000000000', 'ses_x', 'usr_x', '%00']) {
      expect((await remove(unknown)).status).toBe(404);
    }
    expect(await isLive(visitor)).toBe(true);
  });

  it('end all but one’s own', async () => {
    const others = [await logIn(), await logIn()];
    const answer = await visitor.send(`${SESSIONS}/end-others`, {
      method: 'POST',
      headers: { 'x-csrf-token': await csrfOf(visitor) },
    });
    expect(answer.status).toBe(204);
    for (const other of others) expect(await isLive(other)).toBe(false);
    expect(await isLive(visitor)).toBe(true);
  });

  it('end by no call without their token', async () => {
    const other = await logIn();
    const [{ id }] = (await sessionsOf(visitor)).filter(({ current }) => !current) as [Session];
    for (const [method, path] of [
      ['DELETE', `${SESSIONS}/${id}`],
      ['POST', `${SESSIONS}/${id}/end`],
      ['POST', `${SESSIONS}/end-others`],
    ] as const) {
      expect((await visitor.send(path, { method })).status).toBe(403);
      expect((await new Visitor(auth.url).send(path, { method })).status).toBe(401);
    }
    expect(await isLive(other)).toBe(true);
  });
});

describe('the account page', () => {
  it('says who is logged in, where, and from when, and ends sessions without a script', async () => {
    const script = await logIn(OWNER.password, '<script>alert(1)</script>');
    await logIn();
    const page = await visitor.get(ACCOUNT);
    expect(page.status).toBe(200);
    expect(page.text).toContain(OWNER.email);
    expect(page.text).toContain('Firefox on Linux');
    expect(page.text).not.toContain('<script');
    expect(page.text).toContain('&lt;script&gt;');

    const form = { csrf_token: hiddenFields(page.text)['csrf_token']! };
    const { id } = (await sessionsOf(visitor)).find(({ user_agent: it }) => it?.startsWith('<script'))!;
    const ended = await visitor.post(`${SESSIONS}/${id}/end`, form);
    expect([ended.status, ended.location]).toEqual([303, `${ACCOUNT}?done=session`]);
    expect((await visitor.get(ended.location!)).text).toContain('The session has ended.');
    expect(await isLive(script)).toBe(false);
    expect((await visitor.post(`${SESSIONS}/${id}/end`, form)).status).toBe(303);
    const others = await visitor.post(`${SESSIONS}/end-others`, form);
    expect([others.status, others.location]).toEqual([303, `${ACCOUNT}?done=others`]);
    expect(await sessionsOf(visitor)).toHaveLength(1);
  });

  it('is reached from where a login ends, and asks for one first', async () => {
    expect((await visitor.get('/auth/login')).text).toContain(`href="${ACCOUNT}"`);
    const { status, location } = await new Visitor(auth.url).get(ACCOUNT);
    expect([status, location]).toEqual([303, `/auth/login?return_to=${ACCOUNT}`]);
  });

  it('says nothing that its address made up', async () => {
    for (const done of ['__proto__', 'toString', 'x']) {
      expect((await visitor.get(`${ACCOUNT}?done=${done}`)).text).not.toContain('role="status"');
    }
  });
});
