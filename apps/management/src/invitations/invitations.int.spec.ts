import { secretHash } from '@svc/access';
import { InvitationAcceptance } from '@svc/access/store';
import { UnitOfWork } from '@svc/database';
import { MailError, type Mail } from '@svc/http';
import { systemIds } from '@svc/runtime';
import { createLogger } from '@svc/runtime/observability';
import { FakeClock, retryBusy } from '@svc/testing';
import {
  startManagement,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';
import { taken } from '../testing/taken';

const DAY_MS = 86_400_000;

describe('invitations', () => {
  let management: ManagementUnderTest;
  let clock: FakeClock;
  const mails: Mail[] = [];
  const logLines: string[] = [];
  let failure: Error | null = null;

  beforeAll(async () => {
    clock = new FakeClock();
    management = await startManagement({
      clock,
      mailer: {
        send: (mail) => {
          if (failure !== null) return Promise.reject(failure);
          mails.push(mail);
          return Promise.resolve();
        },
      },
      logger: createLogger(
        { service: 'management', level: 'info' },
        { write: (line) => logLines.push(line) },
      ),
    });
  });
  beforeEach(() => {
    failure = null;
    mails.length = 0;
    logLines.length = 0;
  });
  afterAll(() => management.close());

  const INVITATIONS = '/api/v1/members/invitations';
  const scoped = ({ id }: Organization) => `/api/v1/organizations/${id}/members/invitations`;
  const secretIn = (acceptUrl: string) => acceptUrl.slice(acceptUrl.lastIndexOf('/') + 1);
  const mailedUrl = () => /^http\S+$/m.exec(mails.at(-1)!.text)![0];
  const auditOf = async (targetId: string) => {
    const entries = await management.database.prisma.auditEntry.findMany({ where: { targetId } });
    return entries.map(({ action }) => action);
  };

  /** Accepts as the page at the link does for a user who has logged in. */
  function accept(acceptUrl: string, userId: string): Promise<boolean> {
    const acceptance = new InvitationAcceptance(management.database);
    return new UnitOfWork(management.database).transaction(async (tx) => {
      const invitation = await acceptance.findInvitationBySha256(secretHash(secretIn(acceptUrl)));
      if (invitation === null || !(await acceptance.use(tx, invitation, clock.now()))) return false;
      const { organizationId, role } = invitation;
      await acceptance.admit(tx, { organizationId, userId, role });
      return true;
    });
  }

  it('are made, listed, read and revoked at both path forms', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');

    const created = await owner.post(INVITATIONS, { email: 'Ada@Example.com', role: 'developer' });
    expect(created).toMatchObject({
      status: 201,
      body: {
        invitation: {
          organization_id: organization.id,
          email: 'ada@example.com',
          role: 'developer',
          state: 'pending',
          invited_by: owner.userId,
          expires_at: new Date(clock.now() + 7 * DAY_MS).toISOString(),
          accepted_at: null,
        },
        mailed: true,
      },
    });
    const { invitation, accept_url } = created.body;
    const other = await owner.post(scoped(organization), { email: 'bob@example.com', role: 'viewer' });

    const list = await owner.get(INVITATIONS);
    expect(list.body.data.map(({ email }: { email: string }) => email)).toEqual([
      'bob@example.com',
      'ada@example.com',
    ]);
    expect(JSON.stringify(list.body)).not.toContain(secretIn(accept_url));
    expect((await owner.get(`${scoped(organization)}/${invitation.id}`)).body).toEqual(invitation);

    expect((await owner.delete(`${INVITATIONS}/${invitation.id}`)).status).toBe(204);
    expect((await owner.delete(`${INVITATIONS}/${invitation.id}`)).status).toBe(204);
    expect((await owner.get(`${INVITATIONS}/${invitation.id}`)).body.state).toBe('revoked');
    expect((await owner.get(`${INVITATIONS}?state=pending`)).body.data).toEqual([other.body.invitation]);
    expect(await auditOf(invitation.id)).toEqual(['invitation.create', 'invitation.revoke']);
  });

  it('are accepted by their link alone, of which nothing but a hash is kept', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const guest = await management.withSession(await management.newOrganization(), 'viewer');

    const { body } = await owner.post(INVITATIONS, { email: 'carl@example.com', role: 'viewer' });
    expect(body.accept_url).toMatch(/^https:\/\/svc\.example\/auth\/invitations\/svc_inv_[A-Za-z0-9_-]{43}$/);
    const { prisma } = management.database;
    const kept = [await prisma.invitation.findMany(), await prisma.auditEntry.findMany()];
    expect(JSON.stringify(kept)).not.toContain(secretIn(body.accept_url));

    expect(await accept(body.accept_url, guest.userId)).toBe(true);
    expect((await guest.get(scoped(organization))).status).toBe(200);
    expect(await owner.delete(`${INVITATIONS}/${body.invitation.id}`)).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    });
    expect((await owner.get(`${INVITATIONS}?state=accepted`)).body.data).toHaveLength(1);
  });

  it('bring back a removed member, with the new role', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const member = await management.withSession(organization, 'developer');
    const email = `${member.userId}@example.com`;

    expect(await owner.post(INVITATIONS, { email, role: 'viewer' })).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', param: 'email' } },
    });
    await owner.delete(`/api/v1/members/${member.memberId}`);
    const { body } = await owner.post(INVITATIONS, { email, role: 'viewer' });
    expect(await accept(body.accept_url, member.userId)).toBe(true);

    expect((await owner.get(`/api/v1/members/${member.memberId}`)).body).toMatchObject({
      role: 'viewer',
      state: 'active',
    });
  });

  it('take the place of an older one to the same address, whose link stops working', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const guest = await management.withSession(await management.newOrganization(), 'viewer');

    const older = await owner.post(INVITATIONS, { email: 'dora@example.com', role: 'viewer' });
    const newer = await owner.post(INVITATIONS, { email: 'DORA@example.com', role: 'finance' });

    expect((await owner.get(`${INVITATIONS}/${older.body.invitation.id}`)).body.state).toBe('revoked');
    expect(await auditOf(older.body.invitation.id)).toEqual(['invitation.create', 'invitation.revoke']);
    expect(await accept(older.body.accept_url, guest.userId)).toBe(false);
    expect(await accept(newer.body.accept_url, guest.userId)).toBe(true);
  });

  it('leave one pending, however many are sent to one address at once', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const invite = () => owner.post(INVITATIONS, { email: 'emil@example.com', role: 'viewer' });

    const answers = await Promise.all(Array.from({ length: 10 }, () => taken(invite)));

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect((await owner.get(`${INVITATIONS}?state=pending`)).body.data).toHaveLength(1);
    expect((await owner.get(`${INVITATIONS}?state=revoked`)).body.data).toHaveLength(9);
  });

  it('end one way only when they are accepted and revoked at once', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const guest = await management.withSession(await management.newOrganization(), 'viewer');

    for (let round = 0; round < 10; round++) {
      const { body } = await owner.post(INVITATIONS, { email: 'flora@example.com', role: 'viewer' });
      const path = `${INVITATIONS}/${body.invitation.id}`;
      const [accepted, revoked] = await Promise.all([
        accept(body.accept_url, guest.userId),
        owner.delete(path),
      ]);
      expect(revoked.status).toBe(accepted ? 409 : 204);
      expect((await owner.get(path)).body.state).toBe(accepted ? 'accepted' : 'revoked');
    }
  });

  it('never deadlock with the removal of the member who accepts, and newer ones to the same address', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const member = await management.withSession(organization, 'viewer');
    const email = `${member.userId}@example.com`;
    const path = `/api/v1/members/${member.memberId}`;

    for (let round = 0; round < 20; round++) {
      await owner.delete(path);
      const { body } = await owner.post(INVITATIONS, { email, role: 'viewer' });
      const [, removed, invited] = await Promise.all([
        accept(body.accept_url, member.userId),
        owner.delete(path),
        owner.post(INVITATIONS, { email, role: 'viewer' }),
      ]);
      expect(removed.status).toBe(204);
      expect([201, 409]).toContain(invited.status);
    }
  });

  it('run out after seven days, and make room for a new one', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const { body } = await key.post(INVITATIONS, { email: 'gero@example.com', role: 'viewer' });

    clock.advance(7 * DAY_MS);

    const path = `${INVITATIONS}/${body.invitation.id}`;
    expect((await key.get(path)).body.state).toBe('expired');
    expect((await key.get(`${INVITATIONS}?state=expired`)).body.data).toHaveLength(1);
    expect((await key.get(`${INVITATIONS}?state=pending`)).body.data).toHaveLength(0);
    expect((await key.delete(path)).status).toBe(204);
    expect((await key.get(path)).body.state).toBe('expired');
    const again = await key.post(INVITATIONS, { email: 'gero@example.com', role: 'viewer' });
    expect(again).toMatchObject({ status: 201, body: { invitation: { invited_by: key.keyId } } });
  });

  it('give no role beyond the inviter’s own, and touch none that does', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const admin = await management.withSession(organization, 'security_admin');
    const { body } = await owner.post(INVITATIONS, { email: 'hugo@example.com', role: 'owner' });

    expect(await admin.post(INVITATIONS, { email: 'ines@example.com', role: 'owner' })).toMatchObject({
      status: 403,
      body: { error: { code: 'permission_denied', param: 'role' } },
    });
    expect((await admin.post(INVITATIONS, { email: 'hugo@example.com', role: 'viewer' })).status).toBe(403);
    expect((await admin.delete(`${INVITATIONS}/${body.invitation.id}`)).status).toBe(403);
    expect((await owner.get(INVITATIONS)).body.data).toMatchObject([{ role: 'owner', state: 'pending' }]);
    expect(await auditOf(body.invitation.id)).toEqual(['invitation.create']);
  });

  it('are sent by who has member:write alone', async () => {
    const viewer = await management.withSession(await management.newOrganization(), 'viewer');

    expect((await viewer.get(INVITATIONS)).status).toBe(200);
    expect(await viewer.post(INVITATIONS, { email: 'a@example.com', role: 'viewer' })).toMatchObject({
      status: 403,
      body: { error: { code: 'permission_denied' } },
    });
  });

  it('of another organization are not found, in the same words as ones that never were', async () => {
    const theirs = await management.withKey(await management.newOrganization());
    const key = await management.withKey(await management.newOrganization());
    const { body } = await theirs.post(INVITATIONS, { email: 'kurt@example.com', role: 'viewer' });
    const foreign = `${INVITATIONS}/${body.invitation.id}`;

    for (const answered of [
      await key.get(foreign),
      await key.delete(foreign),
      await key.get(`${INVITATIONS}/${systemIds('invitation')}`),
    ]) {
      expect(answered).toMatchObject({
        status: 404,
        body: { error: { message: 'There is no such resource.' } },
      });
    }
  });

  it('go out by mail, with a link of their own that only the mailbox has', async () => {
    const key = await management.withKey(await management.newOrganization());
    const { body } = await key.post(INVITATIONS, { email: 'lea@example.com', role: 'viewer' });

    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ to: 'lea@example.com', subject: 'Invitation to Acme' });
    expect(mails[0]!.text).not.toContain(secretIn(body.accept_url));
    const found = async (url: string) =>
      new InvitationAcceptance(management.database).findInvitationBySha256(secretHash(secretIn(url)));
    expect(await found(body.accept_url)).toMatchObject({ id: body.invitation.id, mailed: false });
    expect(await found(mailedUrl())).toMatchObject({ id: body.invitation.id, mailed: true });
  });

  it('are sent again with new links, for seven days more, also after they have run out', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const { body: first } = await key.post(INVITATIONS, { email: 'lea@example.com', role: 'viewer' });
    const firstMailed = mailedUrl();
    clock.advance(8 * DAY_MS);

    const again = await key.post(`${INVITATIONS}/${first.invitation.id}/resend`);

    expect(again).toMatchObject({
      status: 200,
      body: {
        invitation: {
          ...first.invitation,
          state: 'pending',
          expires_at: new Date(clock.now() + 7 * DAY_MS).toISOString(),
        },
        mailed: true,
      },
    });
    expect(mails).toHaveLength(2);
    const user = await management.database.prisma.user.create({
      data: { id: systemIds('user'), email: 'lea@example.com' },
    });
    for (const ended of [first.accept_url, firstMailed]) expect(await accept(ended, user.id)).toBe(false);
    expect(await accept(mailedUrl(), user.id)).toBe(true);
    expect(await accept(again.body.accept_url, user.id)).toBe(false);
    expect(await auditOf(first.invitation.id)).toEqual(['invitation.create', 'invitation.resend']);
    // An accepted invitation cannot be sent again.
    expect((await key.post(`${INVITATIONS}/${first.invitation.id}/resend`)).status).toBe(409);
  });

  it('are not sent again once they are revoked, for a member, or beyond the caller’s role', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const admin = await management.withSession(organization, 'security_admin');
    const { body } = await owner.post(INVITATIONS, { email: 'max@example.com', role: 'owner' });
    const path = `${INVITATIONS}/${body.invitation.id}`;
    expect((await admin.post(`${path}/resend`)).status).toBe(403);
    await owner.delete(path);
    expect((await owner.post(`${path}/resend`)).status).toBe(409);
    expect((await owner.post(`${INVITATIONS}/${systemIds('invitation')}/resend`)).status).toBe(404);
    expect(mails).toHaveLength(1);
  });

  it('are made even when the mail fails, which the answer says and the log, without the link', async () => {
    failure = new MailError('The mail was not sent: EENVELOPE (550)');
    const key = await management.withKey(await management.newOrganization());
    const { status, body } = await key.post(INVITATIONS, { email: 'mia@example.com', role: 'viewer' });

    expect({ status, mailed: body.mailed }).toEqual({ status: 201, mailed: false });
    expect(body.accept_url).toContain('svc_inv_');
    const logged = logLines.join('');
    expect(logged).toContain(body.invitation.id);
    expect(logged).toContain('EENVELOPE (550)');
    expect(logged).not.toContain(secretIn(body.accept_url));
    expect(logged).not.toContain('mia@example.com');
  });

  it('to one mailbox are few mails, whoever sends them, and stay invitations', async () => {
    const email = 'flooded@example.com';
    const organizations = await Promise.all(Array.from({ length: 4 }, () => management.newOrganization()));
    const keys = await Promise.all(organizations.map((each) => management.withKey(each)));
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, at) => keys[at % 4]!.post(INVITATIONS, { email, role: 'viewer' })),
    );

    expect(mails).toHaveLength(5);
    const made = answers.filter(({ status }) => status === 201);
    expect(made.filter(({ body }) => body.mailed)).toHaveLength(5);
    const path = `${INVITATIONS}/${made.at(-1)!.body.invitation.id as string}/resend`;
    for (const key of keys) await key.post(path);
    expect(mails).toHaveLength(5);
  });

  it('of one organization are at most a hundred mails at once, and others are mailed all the same', async () => {
    const [key, other] = [
      await management.withKey(await management.newOrganization()),
      await management.withKey(await management.newOrganization()),
    ];
    const invite = (by: typeof key, at: number) =>
      retryBusy(() => by.post(INVITATIONS, { email: `many-${String(at)}@example.com`, role: 'viewer' }));
    for (let at = 0; at < 110; at += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, more) => invite(key, at + more)));
    }
    expect(mails.length).toBeGreaterThanOrEqual(100);
    expect(mails.length).toBeLessThan(110);
    expect((await invite(other, 200)).body.mailed).toBe(true);
  });

  it('are at most a thousand open ones of an organization; one to the same address replaces its own', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const row = (at: number) => ({
      id: `inv_${systemIds('event').slice(4)}`,
      organizationId: organization.id,
      email: `open-${String(at)}@example.com`,
      role: 'viewer',
      secretSha256: Uint8Array.from(secretHash(`a ${organization.id} ${String(at)}`)),
      mailedSecretSha256: Uint8Array.from(secretHash(`b ${organization.id} ${String(at)}`)),
      expiresAt: new Date(clock.now() + DAY_MS),
    });
    await management.database.prisma.invitation.createMany({
      data: Array.from({ length: 999 }, (_, at) => row(at)),
    });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        key.post(INVITATIONS, { email: `one-more-${String(at)}@example.com`, role: 'viewer' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
    expect((await key.post(INVITATIONS, { email: 'open-1@example.com', role: 'viewer' })).status).toBe(201);
  });

  it('show no link of whoever named the organization', async () => {
    const organization = await management.newOrganization();
    const name = `Win at https://evil.example/now ${'x'.repeat(120)}`;
    await management.database.prisma.organization.update({ where: { id: organization.id }, data: { name } });
    const key = await management.withKey(organization);
    await key.post(INVITATIONS, { email: 'nina@example.com', role: 'viewer' });

    const [mail] = mails;
    expect(mail!.subject.length).toBeLessThan(90);
    for (const text of [mail!.subject, mail!.text.replace(mailedUrl(), '')]) {
      expect(text).toContain('Win at https evil example now');
      expect(text).not.toMatch(/:\/\/|evil\.example|x{100}/);
    }
  });

  it.each([
    [{ email: 'nobody', role: 'viewer' }, 'email'],
    [{ email: 'a@example.com, b@example.com', role: 'viewer' }, 'email'],
    [{ email: 'a@example.com\r\nBcc: b@example.com', role: 'viewer' }, 'email'],
    [{ email: `${'a'.repeat(250)}@example.com`, role: 'viewer' }, 'email'],
    [{ email: 'a@-example.com', role: 'viewer' }, 'email'],
    [{ email: 'a@example-.com', role: 'viewer' }, 'email'],
    [{ email: `a@${'e'.repeat(64)}.com`, role: 'viewer' }, 'email'],
    [{ email: `${'a'.repeat(65)}@example.com`, role: 'viewer' }, 'email'],
    [{ email: 'a@example.com' }, 'role'],
    [{ email: 'a@example.com', role: 'emperor' }, 'role'],
    [{ email: 'a@example.com', role: 'viewer', state: 'accepted' }, 'state'],
  ])('refuse %j, naming the field', async (invitee, param) => {
    const key = await management.withKey(await management.newOrganization());
    expect(await key.post(INVITATIONS, invitee)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param } },
    });
    expect(mails).toEqual([]);
  });
});
