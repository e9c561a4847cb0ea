import { randomBytes } from 'node:crypto';
import { formatSecret, secretHash, type Role } from '@svc/access';
import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemIds } from '@svc/runtime';
import { FakeClock } from '@svc/testing';
import { type AuthUnderTest, OWNER, startAuth } from '../testing/auth-under-test';
import { hiddenFields, Visitor } from '../testing/visitor';

const DAY_MS = 86_400_000;
const ANNA = 'anna@example.com';
const CHOSEN = { password: 'three quiet hedgehogs', repeated_password: 'three quiet hedgehogs' };

let test: TestDatabase;
let auth: AuthUnderTest;
let clock: FakeClock;
let visitor: Visitor;

beforeEach(async () => {
  test = await emptyTestDatabase();
  clock = new FakeClock();
  auth = await startAuth({ database: test.database, clock, organizationName: 'Acme <b>&' });
  visitor = new Visitor(auth.url);
});
afterEach(async () => {
  await auth.close();
  await test.close();
});

interface Invited {
  readonly role?: Role;
  readonly organizationId?: string;
  /** Whether to open the link that was mailed, or the one that was shown. */
  readonly mailed?: boolean;
}

async function invite(
  email: string,
  { role = 'developer', organizationId = auth.organizationId, mailed = false }: Invited = {},
): Promise<string> {
  const secret = formatSecret('invitation', randomBytes(32));
  const other = formatSecret('invitation', randomBytes(32));
  await test.database.prisma.invitation.create({
    data: {
      id: `inv_${systemIds('event').slice(4)}`,
      organizationId,
      email,
      role,
      secretSha256: Uint8Array.from(secretHash(mailed ? other : secret)),
      mailedSecretSha256: Uint8Array.from(secretHash(mailed ? secret : other)),
      invitedBy: 'usr_x',
      expiresAt: new Date(clock.now() + DAY_MS),
    },
  });
  return `/auth/invitations/${secret}`;
}

async function otherOrganization(): Promise<string> {
  const id = systemIds('organization');
  await test.database.prisma.organization.create({ data: { id, name: 'Other' } });
  return id;
}

const members = () =>
  test.database.prisma.member.findMany({ include: { user: true }, orderBy: { id: 'asc' } });
const memberOf = async (email: string, organizationId = auth.organizationId) =>
  (await members()).find((member) => member.user.email === email && member.organizationId === organizationId);
const invitationStates = async () =>
  (await test.database.prisma.invitation.findMany()).map(({ state }) => state);

describe('an invitation of somebody new', () => {
  it('says who invites to what, markup shown as text', async () => {
    const { status, text } = await visitor.get(await invite(ANNA));
    expect(status).toBe(200);
    expect(text).toContain('Join Acme &lt;b&gt;&amp;');
    expect(text).not.toContain('<b>');
    expect(text).toContain('Developer');
    expect(text).toContain(ANNA);
  });

  it('makes a user, a member and an audit entry, and logs in', async () => {
    const answer = await visitor.submit(await invite(ANNA), CHOSEN);
    expect([answer.status, answer.location]).toEqual([303, '/console/']);
    const member = await memberOf(ANNA);
    expect(member).toMatchObject({ role: 'developer', state: 'active' });
    expect((await visitor.get('/auth/session')).text).toContain(member!.userId);
    expect(await test.database.prisma.auditEntry.findMany()).toMatchObject([
      {
        organizationId: auth.organizationId,
        actorType: 'user',
        actorId: member!.userId,
        action: 'member.create',
        targetType: 'member',
        targetId: member!.id,
        requestId: answer.headers.get('x-request-id'),
      },
    ]);
    expect(await invitationStates()).toEqual(['accepted']);
    const later = await new Visitor(auth.url).submit('/auth/login', {
      email: ANNA,
      password: CHOSEN.password,
    });
    expect(later.status).toBe(303);
  });

  it.each([
    ['by the link that was mailed', true],
    ['by the link that was shown', false],
  ])('that is accepted %s proves the address: %s', async (_, mailed) => {
    await visitor.submit(await invite(ANNA, { mailed }), CHOSEN);
    const member = await memberOf(ANNA);
    expect(member!.user.emailVerifiedAt).toEqual(mailed ? new Date(clock.now()) : null);
    // The mailed link also verifies a user who already exists.
    await visitor.submit(await invite(ANNA, { organizationId: await otherOrganization(), mailed: true }), {});
    expect((await memberOf(ANNA))!.user.emailVerifiedAt).toEqual(new Date(clock.now()));
  });

  it.each([
    ['short', 'short', 'at least 12'],
    ['', '', 'at least 12'],
    ['👍'.repeat(11), '👍'.repeat(11), 'at least 12'],
    ['x'.repeat(513), 'x'.repeat(513), 'at most 512'],
    ['three quiet hedgehogs', 'three quiet hedgehog', 'differ'],
    ['aaaaaaaaaaaa', 'aaaaaaaaaaaa', 'Too many people'],
    ['Password1234', 'Password1234', 'Too many people'],
  ])('refuses the password %j, and stays open', async (password, repeated_password, why) => {
    const answer = await visitor.submit(await invite(ANNA), { password, repeated_password });
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(new RegExp(`class="problem"[^>]*>[^<]*${why}`));
    expect(answer.text).toContain('aria-invalid="true"');
    expect(await invitationStates()).toEqual(['pending']);
    expect(await memberOf(ANNA)).toBeUndefined();
  });

  it('takes the invited address only, whatever the form says', async () => {
    await visitor.submit(await invite(ANNA), { ...CHOSEN, email: OWNER.email });
    expect(await memberOf(ANNA)).toBeDefined();
  });

  it('gives a password to a user who never had one', async () => {
    await test.database.prisma.user.create({ data: { id: 'usr_anna', email: ANNA } });
    expect((await visitor.submit(await invite(ANNA, { mailed: true }), CHOSEN)).status).toBe(303);
    expect((await memberOf(ANNA))?.userId).toBe('usr_anna');
  });

  it('gives one by a link that was shown only where the organization has made that user its member', async () => {
    const userId = 'usr_anna';
    const { prisma } = test.database;
    await prisma.user.create({ data: { id: userId, email: ANNA } });
    await prisma.member.create({
      data: { id: 'mem_anna', organizationId: auth.organizationId, userId, role: 'owner' },
    });
    const elsewhere = await invite(ANNA, { organizationId: await otherOrganization() });

    expect((await visitor.get(elsewhere)).status).toBe(200);
    const own = await invite(ANNA);
    const { text } = await visitor.get(own);
    expect((await visitor.post(elsewhere, { ...hiddenFields(text), ...CHOSEN })).status).toBe(403);
    expect(await prisma.user.findUnique({ where: { id: userId } })).toMatchObject({ passwordHash: null });
    expect(await members()).toHaveLength(2);

    expect((await visitor.submit(own, CHOSEN)).status).toBe(303);
    expect((await prisma.user.findUnique({ where: { id: userId } }))?.passwordHash).toMatch(/^\$argon2id/);
  });

  it('gives none by a hundred shown links of other organizations at once, while the mailed one is opened', async () => {
    const { prisma } = test.database;
    await prisma.user.create({ data: { id: 'usr_anna', email: ANNA } });
    const mailed = await invite(ANNA, { role: 'owner', mailed: true });
    const shown = await Promise.all(
      Array.from({ length: 100 }, async () =>
        invite(ANNA, { role: 'owner', organizationId: await otherOrganization() }),
      ),
    );
    const taken = { password: 'the password of a thief', repeated_password: 'the password of a thief' };
    const steal = async (path: string) => {
      // They come from many networks, so that no throttle stops them.
      await prisma.failedGuess.deleteMany();
      return new Visitor(auth.url).submit(path, taken);
    };
    const [own, ...others] = await Promise.all([visitor.submit(mailed, CHOSEN), ...shown.map(steal)]);

    expect(own.status).toBe(303);
    expect(others.filter(({ status }) => status === 303)).toEqual([]);
    expect((await members()).filter(({ userId }) => userId === 'usr_anna')).toMatchObject([
      { organizationId: auth.organizationId, role: 'owner' },
    ]);
    await prisma.failedGuess.deleteMany();
    const login = (password: string) =>
      new Visitor(auth.url).submit('/auth/login', { email: ANNA, password });
    expect((await login(CHOSEN.password)).status).toBe(303);
    expect((await login(taken.password)).status).toBe(401);
  });

  it('makes a member an owner, and no owner anything else', async () => {
    await visitor.submit(await invite(ANNA, { role: 'viewer' }), CHOSEN);
    expect(await memberOf(ANNA)).toMatchObject({ role: 'viewer' });
    await visitor.submit(await invite(ANNA, { role: 'owner' }), {});
    expect(await memberOf(ANNA)).toMatchObject({ role: 'owner' });
    await visitor.submit(await invite(ANNA, { role: 'viewer' }), {});
    expect(await memberOf(ANNA)).toMatchObject({ role: 'owner' });
  });

  it('is accepted once, by however many at once', async () => {
    const path = await invite(ANNA);
    const visitors = Array.from({ length: 6 }, () => new Visitor(auth.url));
    const answers = await Promise.all(visitors.map((each) => each.submit(path, CHOSEN)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await members()).toHaveLength(2);
    expect(await test.database.prisma.auditEntry.count()).toBe(1);
  });

  it('never replaces the password of an account that came to be meanwhile', async () => {
    const other = await otherOrganization();
    const paths = [await invite(ANNA), await invite(ANNA, { organizationId: other })];
    const passwords = ['the first password', 'the second password'];
    const visitors = paths.map(() => new Visitor(auth.url));
    const answers = await Promise.all(
      paths.map((path, at) =>
        visitors[at]!.submit(path, { password: passwords[at]!, repeated_password: passwords[at]! }),
      ),
    );
    const won = answers.findIndex(({ status }) => status === 303);
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect((await invitationStates()).sort()).toEqual(['accepted', 'pending']);
    const login = (password: string) =>
      new Visitor(auth.url).submit('/auth/login', { email: ANNA, password });
    expect((await login(passwords[won]!)).status).toBe(303);
    expect((await login(passwords[1 - won]!)).status).toBe(401);
  });
});

describe('an invitation of a known user', () => {
  let organizationId: string;
  let path: string;
  beforeEach(async () => {
    organizationId = await otherOrganization();
    path = await invite(OWNER.email, { organizationId, role: 'finance' });
  });

  it('is accepted with their password', async () => {
    expect((await visitor.get(path)).text).toContain('current-password');
    expect((await visitor.submit(path, { password: OWNER.password })).status).toBe(303);
    expect(await memberOf(OWNER.email, organizationId)).toMatchObject({ role: 'finance', state: 'active' });
    expect((await visitor.get('/auth/session')).text).toContain(organizationId);
  });

  it('is not accepted with another one, and guesses at it are limited', async () => {
    const answers = [];
    for (let time = 0; time < 6; time++) answers.push(await visitor.submit(path, CHOSEN));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 429]);
    expect(answers[0]!.text).toContain('The password is wrong.');
    expect((await visitor.submit('/auth/login', OWNER)).status).toBe(429);
    expect(await memberOf(OWNER.email, organizationId)).toBeUndefined();
  });

  it('is accepted by who is logged in, who stays so', async () => {
    await visitor.submit('/auth/login', OWNER);
    const session = visitor.cookies.get('svc_session');
    expect((await visitor.get(path)).text).not.toContain('type="password"');
    expect((await visitor.submit(path, {})).status).toBe(303);
    expect(visitor.cookies.get('svc_session')).toBe(session);
    expect(await memberOf(OWNER.email, organizationId)).toBeDefined();
  });

  it('is not accepted by who is logged in as somebody else', async () => {
    await visitor.submit('/auth/login', OWNER);
    const annas = await invite(ANNA, { organizationId });
    expect((await visitor.submit(annas, {})).status).toBe(400);
    expect((await visitor.submit(annas, CHOSEN)).status).toBe(303);
    expect((await visitor.get('/auth/session')).text).toContain(ANNA);
  });

  it('makes one a member again who was removed, with the new role', async () => {
    await visitor.submit(path, { password: OWNER.password });
    const before = await memberOf(OWNER.email, organizationId);
    await test.database.prisma.member.updateMany({
      where: { organizationId },
      data: { state: 'removed', removedAt: new Date() },
    });
    await visitor.submit(await invite(OWNER.email, { organizationId, role: 'viewer' }), {});
    expect(await memberOf(OWNER.email, organizationId)).toMatchObject({
      id: before!.id,
      role: 'viewer',
      state: 'active',
      removedAt: null,
    });
  });

  it('leaves a member what they are: the last owner is not demoted', async () => {
    const own = await invite(OWNER.email, { role: 'viewer' });
    expect((await visitor.submit(own, { password: OWNER.password })).status).toBe(303);
    expect(await memberOf(OWNER.email)).toMatchObject({ role: 'owner', state: 'active' });
    expect(await test.database.prisma.auditEntry.count()).toBe(0);
  });
});

describe('an invitation by a link that was not mailed', () => {
  const SOMEBODY_NEW = 'new@example.com';
  const NO_PASSWORD = 'none@example.com';
  let paths: readonly string[];
  beforeEach(async () => {
    await test.database.prisma.user.create({ data: { id: 'usr_none', email: NO_PASSWORD } });
    const organizationId = await otherOrganization();
    const invited = (email: string) => invite(email, { organizationId });
    paths = [await invited(OWNER.email), await invited(SOMEBODY_NEW), await invited(NO_PASSWORD)];
  });

  /** Without what differs for everybody: the address, the link and the CSRF token. */
  const plain = (text: string, path: string) =>
    [path, OWNER.email, SOMEBODY_NEW, NO_PASSWORD, ...Object.values(hiddenFields(text))].reduce(
      (shown, own) => shown.replaceAll(own, '…'),
      text,
    );

  it('has one page, whether the address has an account or not', async () => {
    const pages = await Promise.all(
      paths.map(async (path) => {
        const { status, text } = await new Visitor(auth.url).get(path);
        return [status, plain(text, path)];
      }),
    );
    expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(1);
    expect(pages[0]![0]).toBe(200);
  });

  it.each([
    ['a password that is too short', { password: 'short', repeated_password: 'short' }],
    ['two that differ', { password: CHOSEN.password, repeated_password: 'another one, quite' }],
    ['none', {}],
    ['one that is not theirs', { password: 'no such password here' }],
  ])('answers %s alike, whether the address has an account or not', async (_, form) => {
    const answers = [];
    for (const path of paths) {
      const { status, text } = await new Visitor(auth.url).submit(path, form);
      answers.push(JSON.stringify([status, plain(text, path)]));
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('400');
  });
});

describe('an invitation', () => {
  it.each([
    ['a wrong secret', 404, () => Promise.resolve(`/auth/invitations/svc_inv_${'A'.repeat(43)}`)],
    ['no secret at all', 404, () => Promise.resolve('/auth/invitations/%00')],
    ['a used secret', 410, () => closed({ state: 'accepted' })],
    ['a revoked one', 410, () => closed({ state: 'revoked' })],
    ['one that ran out', 410, () => closed({ expiresAt: new Date(clock.now()) })],
  ])('with %s is one page that says so (%i)', async (_, status, path) => {
    const fields = hiddenFields((await visitor.get('/auth/login')).text);
    const at = await path();
    const answers = [await visitor.get(at), await visitor.post(at, { ...fields, ...CHOSEN })];
    for (const answer of answers) {
      expect(answer.status).toBe(status);
      expect(answer.text).toContain('This invitation cannot be used');
      expect(answer.text).not.toContain('Acme');
    }
    expect(await members()).toHaveLength(1);
  });

  it('that runs out while its page is open is over', async () => {
    const path = await invite(ANNA);
    const fields = hiddenFields((await visitor.get(path)).text);
    clock.advance(DAY_MS);
    expect((await visitor.post(path, { ...fields, ...CHOSEN })).status).toBe(410);
  });

  it('is accepted by no other site', async () => {
    const path = await invite(ANNA);
    const fields = hiddenFields((await new Visitor(auth.url).get(path)).text);
    expect((await visitor.post(path, { ...fields, ...CHOSEN })).status).toBe(403);
    expect((await visitor.submit(path, CHOSEN, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(await invitationStates()).toEqual(['pending']);
  });

  async function closed(data: { state?: string; expiresAt?: Date }): Promise<string> {
    const path = await invite(ANNA);
    await test.database.prisma.invitation.updateMany({ data });
    return path;
  }
});
