import { secretHash } from '@svc/access';
import { OperatorPasswordReset } from '@svc/access/store';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { MailError, type Mail } from '@svc/http';
import { eventually, FakeClock } from '@svc/testing';
import { OWNER, startAuth, type AuthUnderTest } from '../testing/auth-under-test';
import { passGuesses } from '../testing/pass-guesses';
import { Visitor } from '../testing/visitor';

const HOUR_MS = 3_600_000;
const PAGE = '/auth/password-reset';
const NEW = { new_password: 'three quiet hedgehogs', repeated_password: 'three quiet hedgehogs' };

let test: TestDatabase;
let auth: AuthUnderTest;
let clock: FakeClock;
let visitor: Visitor;
let send: (mail: Mail) => Promise<void>;
const mails: Mail[] = [];
const logged: string[] = [];

beforeAll(async () => {
  test = await openTestDatabase();
  clock = new FakeClock();
  const mailer = { send: (mail: Mail) => send(mail) };
  auth = await startAuth({ database: test.database, clock, mailer, logged });
});
beforeEach(async () => {
  await passGuesses(test.database, HOUR_MS);
  await test.database.prisma.passwordReset.deleteMany();
  // The owner's initial password is restored.
  const user = await owner();
  first ??= user.passwordHash;
  await test.database.prisma.user.updateMany({
    where: { id: user.id },
    data: { passwordHash: first, emailVerifiedAt: null },
  });
  send = (mail) => {
    mails.push(mail);
    return Promise.resolve();
  };
  mails.splice(0);
  logged.splice(0);
  visitor = new Visitor(auth.url);
});
afterAll(async () => {
  await auth.close();
  await test.close();
});

let first: string | null | undefined;
const owner = () => test.database.prisma.user.findUniqueOrThrow({ where: { email: OWNER.email } });
const ask = (email: string, by = visitor) => by.submit(PAGE, { email });
/** Mails go out after the answer. */
const mailed = (count: number) =>
  eventually(() => {
    expect(mails).toHaveLength(count);
  });
const linkIn = ({ text }: Mail) => /^http:\/\/svc\.example(\/auth\/password-reset\/\S+)$/m.exec(text)![1]!;
const logIn = async (password: string) => {
  const by = new Visitor(auth.url);
  return { by, answer: await by.submit('/auth/login', { email: OWNER.email, password }) };
};

async function mailedLink(): Promise<string> {
  const before = mails.length;
  await ask(OWNER.email);
  await mailed(before + 1);
  return linkIn(mails.at(-1)!);
}

async function operatorsLink(): Promise<string> {
  const asked = { email: OWNER.email, baseUrl: '', nowMs: clock.now(), requestId: null };
  return (await new OperatorPasswordReset(test.database).issue(asked))!.resetUrl;
}

describe('who forgot the password', () => {
  it('finds the way from the login page to a mail with a link', async () => {
    expect((await visitor.get('/auth/login')).text).toContain(`href="${PAGE}"`);
    const answer = await ask(' Owner@Example.com ');
    expect([answer.status, answer.location]).toEqual([303, `${PAGE}?sent=1`]);
    expect((await visitor.get(answer.location!)).text).toContain('Look into your mailbox');
    await mailed(1);
    expect(mails[0]).toMatchObject({ to: OWNER.email, subject: 'Set a new password' });
    const page = await visitor.get(linkIn(mails[0]!));
    expect(page.status).toBe(200);
    expect(page.text).toContain(`value="${OWNER.email}"`);
  });

  it('is answered like somebody whom nobody knows, who gets no mail', async () => {
    const answers = [];
    for (const email of ['nobody@example.com', OWNER.email]) {
      const { status, location, text } = await ask(email, new Visitor(auth.url));
      answers.push({ status, location, text });
    }
    expect(answers[0]).toEqual(answers[1]);
    await mailed(1);
    expect(mails[0]!.to).toBe(OWNER.email);
  });

  it('is answered before the mail server is', async () => {
    const taken = Promise.withResolvers<undefined>();
    send = async (mail) => {
      await taken.promise;
      mails.push(mail);
    };
    expect((await ask(OWNER.email)).status).toBe(303);
    expect(mails).toEqual([]);
    taken.resolve(undefined);
    await mailed(1);
  });

  it('is answered alike when the mail fails, which the log says without the link', async () => {
    send = () => Promise.reject(new MailError('The mail was not sent: ESOCKET'));
    const { status, location } = await ask(OWNER.email);
    expect([status, location]).toEqual([303, `${PAGE}?sent=1`]);
    await eventually(() => {
      expect(logged.join('')).toContain('password reset not mailed');
    });
    expect(logged.join('')).not.toContain('svc_pr_');
  });

  it('is asked again for what is no address', async () => {
    const { status, text } = await ask('"><script>');
    expect(status).toBe(400);
    expect(text).toContain('This is no e-mail address.');
    expect(text).not.toContain('<script');
  });

  it.each([OWNER.email, 'nobody@example.com'])(
    'is mailed three times at once, no more (%s)',
    async (email) => {
      for (let asked = 0; asked < 3; asked++) expect((await ask(email)).status).toBe(303);
      const refused = await ask(email, new Visitor(auth.url));
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(1200);
      await passGuesses(test.database, 20 * 60_000);
      expect((await ask(email)).status).toBe(303);
      await mailed(email === OWNER.email ? 4 : 0);
    },
  );

  it('can ask for ten addresses at once from one network, no more', async () => {
    for (let at = 0; at < 10; at++) expect((await ask(`nobody-${String(at)}@example.com`)).status).toBe(303);
    expect((await ask('nobody-11@example.com')).status).toBe(429);
    // Logins have their own limit.
    expect((await logIn(OWNER.password)).answer.status).toBe(303);
  });

  it('is refused for a form that this browser was not shown, or that another site sent', async () => {
    const form = { email: OWNER.email, csrf_token: 'x'.repeat(43) };
    expect((await visitor.post(PAGE, form)).status).toBe(403);
    const crossSite = await visitor.post(PAGE, form, { 'sec-fetch-site': 'cross-site' });
    expect(crossSite.status).toBe(403);
  });
});

describe('the link of a reset', () => {
  it('sets a password, ends every session, and logs nobody in', async () => {
    const { by: other } = await logIn(OWNER.password);
    const link = await mailedLink();
    const answer = await visitor.submit(link, NEW);
    expect([answer.status, answer.location]).toEqual([303, '/auth/login?password_changed=1']);
    expect((await visitor.get(answer.location!)).text).toContain('Your new password is set.');
    expect(visitor.cookies.has('svc_session')).toBe(false);
    expect((await other.get('/auth/session')).status).toBe(401);
    expect((await logIn(OWNER.password)).answer.status).toBe(401);
    expect((await logIn(NEW.new_password)).answer.status).toBe(303);
  });

  it('tells the user by mail that there is another password, and nothing of it', async () => {
    const link = await mailedLink();
    await visitor.submit(link, { new_password: 'aaaaaaaaaaaa', repeated_password: 'aaaaaaaaaaaa' });
    const before = mails.length;
    await visitor.submit(link, NEW);
    await eventually(() => {
      expect(mails.length).toBe(before + 1);
    });
    expect(mails.at(-1)).toMatchObject({ to: OWNER.email, subject: 'Your password was changed' });
    expect(mails.at(-1)!.text).not.toMatch(/hedgehogs|svc_pr_/);
  });

  it('works once', async () => {
    const link = await mailedLink();
    const late = new Visitor(auth.url);
    await late.get(link);
    expect((await visitor.submit(link, NEW)).status).toBe(303);
    const again = await visitor.get(link);
    expect(again.status).toBe(404);
    expect(again.text).toContain('This link cannot be used');
  });

  it('sets one password when two send it at once', async () => {
    const link = await mailedLink();
    const words = ['one quiet hedgehog', 'two quiet hedgehogs'];
    const answers = await Promise.all(
      words.map((word) =>
        new Visitor(auth.url).submit(link, { new_password: word, repeated_password: word }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
    const won = words[answers.findIndex(({ status }) => status === 303)]!;
    expect((await logIn(won)).answer.status).toBe(303);
  });

  it('ends after an hour', async () => {
    const link = await mailedLink();
    const startedAt = clock.now();
    clock.advance(HOUR_MS - 1);
    expect((await visitor.get(link)).status).toBe(200);
    clock.advance(1);
    expect(clock.now()).toBe(startedAt + HOUR_MS);
    expect((await visitor.get(link)).status).toBe(404);
  });

  it('ends when a newer one is made', async () => {
    const older = await mailedLink();
    const newer = await mailedLink();
    expect((await visitor.get(older)).status).toBe(404);
    expect((await visitor.get(newer)).status).toBe(200);
  });

  it('is stored as a hash, leaves no referrer, and no word that never was a link opens anything', async () => {
    const link = await mailedLink();
    const secret = link.split('/').at(-1)!;
    const stored = await test.database.prisma.passwordReset.findFirstOrThrow();
    expect(Buffer.from(stored.secretSha256)).toEqual(secretHash(secret));
    const { headers } = await visitor.get(link);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    for (const wrong of [`svc_pr_${'A'.repeat(43)}`, 'x', '%00', secret.slice(0, -1)]) {
      expect((await visitor.get(`${PAGE}/${wrong}`)).status).toBe(404);
    }
    expect(logged.join('')).not.toContain(secret);
  });

  it.each([
    ['short', 'short', 'at least 12'],
    ['three quiet hedgehogs', 'three quiet hedgehog', 'differ'],
  ])('stays open for another try after the password %j', async (new_password, repeated_password, why) => {
    const link = await mailedLink();
    const answer = await visitor.submit(link, { new_password, repeated_password });
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(new RegExp(`class="problem"[^>]*>[^<]*${why}`));
    expect((await visitor.submit(link, NEW)).status).toBe(303);
  });

  it('proves the address where it was mailed, and not where the operator passed it on', async () => {
    await visitor.submit(await operatorsLink(), NEW);
    expect(await owner()).toMatchObject({ emailVerifiedAt: null });
    await visitor.submit(await mailedLink(), NEW);
    expect(await owner()).toMatchObject({ emailVerifiedAt: new Date(clock.now()) });
  });

  it('is told in the audit log of each organization of the user', async () => {
    const { prisma } = test.database;
    const before = await prisma.auditEntry.count();
    await visitor.submit(await operatorsLink(), NEW);
    const { id } = await owner();
    expect(await prisma.auditEntry.findMany({ orderBy: { id: 'asc' }, skip: before })).toMatchObject([
      { organizationId: auth.organizationId, actorType: 'operator', action: 'member.issue_password_reset' },
      {
        actorType: 'user',
        actorId: id,
        action: 'member.reset_password',
        targetType: 'member',
        changes: { link: { to: 'operator' } },
      },
    ]);
  });

  it('clears the failed logins of the account from that address', async () => {
    for (let guess = 0; guess < 5; guess++) await logIn('wrong');
    expect((await logIn(OWNER.password)).answer.status).toBe(429);
    await visitor.submit(await mailedLink(), NEW);
    expect((await logIn(NEW.new_password)).answer.status).toBe(303);
  });

  it('gives a first password to a member who never chose one', async () => {
    await test.database.prisma.user.updateMany({ data: { passwordHash: null } });
    await visitor.submit(await mailedLink(), NEW);
    expect((await logIn(NEW.new_password)).answer.status).toBe(303);
  });
});

describe('a service that stops', () => {
  it('sends the mails under way first', async () => {
    const stopping = await openTestDatabase();
    let isTaken = false;
    const mailer = {
      send: async () => {
        await new Promise((resolve) => setTimeout(resolve, 200));
        isTaken = true;
      },
    };
    const other = await startAuth({ database: stopping.database, clock, mailer });
    await ask(OWNER.email, new Visitor(other.url));
    await other.close();
    expect(isTaken).toBe(true);
    await stopping.close();
  });
});

describe('without a mail server', () => {
  it('the login page has no link, and the page says who can help', async () => {
    const plain = await openTestDatabase();
    const other = await startAuth({ database: plain.database, clock });
    const by = new Visitor(other.url);
    const login = await by.get('/auth/login');
    expect(login.text).not.toContain(PAGE);
    const page = await by.get(PAGE);
    expect(page.status).toBe(404);
    expect(page.text).toContain('Its operator can give you a link');
    expect((await by.post(PAGE, { email: OWNER.email })).status).toBe(404);
    await other.close();
    await plain.close();
  });
});
