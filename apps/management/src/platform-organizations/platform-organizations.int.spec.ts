import { verify } from '@node-rs/argon2';
import { secretHash } from '@svc/access';
import { InvitationAcceptance } from '@svc/access/store';
import { ChangeFeed, type Change } from '@svc/database';
import { type Mail } from '@svc/http';
import { systemIds } from '@svc/runtime';
import { createLogger } from '@svc/runtime/observability';
import { eventually } from '@svc/testing';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

const ORGANIZATIONS = '/platform/v1/organizations';
const PASSWORD = 'correct horse battery staple';

describe('the operator’s organizations', () => {
  let management: ManagementUnderTest;
  let operator: Client;
  const mails: Mail[] = [];

  beforeAll(async () => {
    management = await startManagement({
      mailer: { send: (mail) => Promise.resolve(void mails.push(mail)) },
    });
    operator = management.client({ authorization: `Bearer ${management.platformToken}` });
  });
  beforeEach(() => {
    mails.length = 0;
  });
  afterAll(() => management.close());

  let emails = 0;
  const newEmail = () => `owner-${String((emails += 1))}@example.com`;
  const create = (body: object) => operator.post(ORGANIZATIONS, { name: 'Acme', ...body });
  /** On a busy machine a call may wait for the database too long, and is to be made again. */
  const createInTime = async (body: object) => {
    let answer = await create(body);
    while (answer.status === 503) answer = await create(body);
    return answer;
  };
  const userOf = (email: string) => management.database.prisma.user.findUniqueOrThrow({ where: { email } });
  const verifyAddress = (email: string) =>
    management.database.prisma.user.update({ where: { email }, data: { emailVerifiedAt: new Date() } });
  const claim = (email: string) =>
    management.database.prisma.user.create({
      data: { id: systemIds('user'), email, passwordHash: 'a hash' },
    });
  const ownersOf = (organizationId: string) =>
    management.database.prisma.member.findMany({ where: { organizationId, role: 'owner', state: 'active' } });
  const auditOf = async (organizationId: string) => {
    const entries = await management.database.prisma.auditEntry.findMany({ where: { organizationId } });
    return entries.map(({ actorType, action }) => `${actorType} ${action}`).sort();
  };

  describe('when they are made', () => {
    it('have an owner who can log in with the password given, an empty wallet and the default ceilings', async () => {
      const email = newEmail();
      const { status, body } = await create({ owner_email: email.toUpperCase(), owner_password: PASSWORD });

      expect(status).toBe(201);
      expect(body).toMatchObject({
        name: 'Acme',
        state: 'active',
        rate_limit_rpm: null,
        rate_limit_tpm: null,
        effective_rate_limit: { rpm: 6_000, tpm: 10_000_000 },
        wallet: { balance_nanos: 0, held_nanos: 0, owed_nanos: 0, available_nanos: 0 },
        owner: { state: 'active', email, accept_url: null, mailed: false },
      });
      const user = await userOf(email);
      expect(user.id).toBe(body.owner.user_id);
      expect(await verify(user.passwordHash ?? '', PASSWORD)).toBe(true);
      const { prisma } = management.database;
      expect(await prisma.member.findUnique({ where: { id: body.owner.member_id } })).toMatchObject({
        organizationId: body.id,
        role: 'owner',
        state: 'active',
      });
      expect(await auditOf(body.id)).toEqual(['operator member.appoint', 'operator organization.create']);
      expect(mails).toEqual([]);
    });

    it('take a user who is there already as the owner, with the password that they have', async () => {
      const email = newEmail();
      const first = await create({ owner_email: email, owner_password: PASSWORD });
      await verifyAddress(email);
      const second = await create({ owner_email: email, owner_password: 'another one entirely' });

      expect(second.body.owner).toMatchObject({ user_id: first.body.owner.user_id, accept_url: null });
      expect(await verify((await userOf(email)).passwordHash ?? '', PASSWORD)).toBe(true);
    });

    it('send an owner without a password a link to choose one', async () => {
      const email = newEmail();
      const { body } = await create({ owner_email: email });

      const url: string = body.owner.accept_url;
      expect(url).toMatch(/^https:\/\/svc\.example\/auth\/invitations\/svc_inv_/);
      expect(mails).toMatchObject([{ to: email }]);
      const mailedUrl = /^http\S+$/m.exec(mails[0]!.text)![0];
      for (const [link, mailed] of [
        [url, false],
        [mailedUrl, true],
      ] as const) {
        const sha256 = secretHash(link.slice(link.lastIndexOf('/') + 1));
        expect(
          await new InvitationAcceptance(management.database).findInvitationBySha256(sha256),
        ).toMatchObject({
          organizationId: body.id,
          email,
          role: 'owner',
          state: 'pending',
          mailed,
        });
      }
      expect(body.owner).toMatchObject({
        state: 'invited',
        member_id: null,
        user_id: null,
        email,
        mailed: true,
      });
      expect(await ownersOf(body.id)).toEqual([]);
      expect(await management.database.prisma.user.count({ where: { email } })).toBe(0);
    });

    it('invite a user who has not shown that the address is theirs, by a mailed link alone', async () => {
      const email = newEmail();
      await claim(email);
      const { body } = await create({ owner_email: email, owner_password: PASSWORD });

      expect(body.owner).toEqual({
        state: 'invited',
        member_id: null,
        user_id: null,
        email,
        accept_url: null,
        mailed: true,
      });
      expect(mails).toMatchObject([{ to: email }]);
      expect(await ownersOf(body.id)).toEqual([]);
      expect((await userOf(email)).passwordHash).toBe('a hash');
    });

    it('a hundred at once for an address that somebody else has claimed have no owner', async () => {
      const email = newEmail();
      const [answers] = await Promise.all([
        Promise.all(Array.from({ length: 100 }, () => createInTime({ owner_email: email }))),
        claim(email),
      ]);

      const states = answers.map(({ status, body }) => [status, body.owner.state]);
      expect(states).toEqual(answers.map(() => [201, 'invited']));
      const { id } = await userOf(email);
      expect(await management.database.prisma.member.count({ where: { userId: id } })).toBe(0);
    });

    it('wait for no second connection while they hold the one of their transaction', async () => {
      const email = newEmail();
      await claim(email);
      const { pool } = management.database;
      const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
      try {
        expect((await create({ owner_email: email })).status).toBe(201);
      } finally {
        for (const connection of taken) connection.release();
      }
    });

    it('at once for one address share its user', async () => {
      const email = newEmail();
      await claim(email);
      await verifyAddress(email);
      const answers = await Promise.all(Array.from({ length: 6 }, () => create({ owner_email: email })));

      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(new Set(answers.map(({ body }) => body.owner.user_id)).size).toBe(1);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(6);
    });

    it.each([
      [{ owner_email: 'nobody' }, 'owner_email'],
      [{ owner_email: 'a@example.com', owner_password: 'short' }, 'owner_password'],
      [{ owner_email: 'a@example.com', name: '' }, 'name'],
      [{ owner_email: 'a@example.com', state: 'active' }, 'state'],
      [{}, 'owner_email'],
    ])('are refused with %j, naming the field', async (body, param) => {
      const before = await management.database.prisma.organization.count();
      expect(await create(body)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', param } },
      });
      expect(await management.database.prisma.organization.count()).toBe(before);
    });
  });

  it('get a new owner when the first one let the link run out', async () => {
    const email = newEmail();
    const { body } = await create({ owner_email: email });
    const owners = `${ORGANIZATIONS}/${body.id}/owners`;

    const again = await operator.post(owners, { owner_email: email });
    expect(again).toMatchObject({ status: 201, body: { state: 'invited', email } });
    expect(again.body.accept_url).not.toBe(body.owner.accept_url);
    const withPassword = await operator.post(owners, { owner_email: email, owner_password: PASSWORD });
    const { id } = await userOf(email);
    expect(withPassword.body).toMatchObject({ state: 'active', user_id: id, email, accept_url: null });
    expect(await ownersOf(body.id)).toMatchObject([{ userId: id }]);
    const invitations = await management.database.prisma.invitation.findMany({
      where: { organizationId: body.id },
    });
    expect(invitations.map(({ state }) => state)).toEqual(['revoked', 'revoked']);
  });

  it('make a member an owner at once where the address is verified, and else when they accept', async () => {
    const organization = await management.newOrganization();
    const owners = `${ORGANIZATIONS}/${organization.id}/owners`;
    const viewer = await management.withSession(organization, 'viewer');
    const { prisma } = management.database;
    const { email } = await prisma.user.findUniqueOrThrow({ where: { id: viewer.userId } });
    const roleOf = async () =>
      (await prisma.member.findUniqueOrThrow({ where: { id: viewer.memberId } })).role;

    expect((await operator.post(owners, { owner_email: email })).body).toMatchObject({ state: 'invited' });
    expect(await roleOf()).toBe('viewer');
    await verifyAddress(email);
    expect((await operator.post(owners, { owner_email: email })).body).toMatchObject({ state: 'active' });
    expect(await roleOf()).toBe('owner');
  });

  it('let no owner who was removed come back by the link that they never opened', async () => {
    const { body } = await create({ owner_email: newEmail(), owner_password: PASSWORD });
    const organization = { id: body.id, projectId: '', ownerId: body.owner.user_id };
    const viewer = await management.withSession(organization, 'viewer');
    const { email } = await management.database.prisma.user.findUniqueOrThrow({
      where: { id: viewer.userId },
    });
    await operator.post(`${ORGANIZATIONS}/${body.id}/owners`, { owner_email: email });
    const key = await management.withKey(organization);

    expect((await key.delete(`/api/v1/members/${viewer.memberId}`)).status).toBe(204);

    const url = /^http\S+$/m.exec(mails.at(-1)!.text)![0];
    const sha256 = secretHash(url.slice(url.lastIndexOf('/') + 1));
    expect(await new InvitationAcceptance(management.database).findInvitationBySha256(sha256)).toMatchObject({
      state: 'revoked',
    });
    expect(await auditOf(body.id)).toEqual(
      expect.arrayContaining(['api_key member.delete', 'api_key invitation.revoke']),
    );
  });

  it('are listed newest first, page by page, and read one by one', async () => {
    const { body: first } = await create({ owner_email: newEmail() });
    const { body: second } = await create({ owner_email: newEmail() });

    const page = await operator.get(`${ORGANIZATIONS}?limit=1`);
    const next = await operator.get(`${ORGANIZATIONS}?limit=1&cursor=${page.body.next_cursor}`);

    const { owner: _, ...read } = first;
    expect([page.body.data[0].id, next.body.data[0]]).toEqual([second.id, read]);
    expect((await operator.get(`${ORGANIZATIONS}/${first.id}`)).body).toEqual(read);
  });

  describe('that change', () => {
    it('get ceilings, and the defaults back by null; empty changes leave no trace', async () => {
      const { body } = await create({ owner_email: newEmail() });
      const path = `${ORGANIZATIONS}/${body.id}`;

      expect(await operator.patch(path, { rate_limit_rpm: 10, rate_limit_tpm: 2_000 })).toMatchObject({
        status: 200,
        body: {
          rate_limit_rpm: 10,
          rate_limit_tpm: 2_000,
          effective_rate_limit: { rpm: 10, tpm: 2_000 },
        },
      });
      expect((await operator.patch(path, { rate_limit_tpm: null })).body).toMatchObject({
        rate_limit_rpm: 10,
        rate_limit_tpm: null,
        effective_rate_limit: { rpm: 10, tpm: 10_000_000 },
      });
      const { body: before } = await operator.get(path);
      expect((await operator.patch(path, {})).body).toEqual(before);
      expect((await auditOf(body.id)).filter((entry) => entry.includes('organization.update'))).toHaveLength(
        2,
      );
    });

    it('get prices, and the defaults back by null; the trail says from what to what', async () => {
      const { body } = await create({ owner_email: newEmail() });
      const path = `${ORGANIZATIONS}/${body.id}`;
      const defaults = { price_bps: 10_000, own_credential_bps: 0 };
      expect(body).toMatchObject({ price_bps: null, own_credential_bps: null, effective: defaults });

      const set = { price_bps: 11_550, own_credential_bps: 0 };
      expect(await operator.patch(path, set)).toMatchObject({
        status: 200,
        body: { ...set, effective: set },
      });
      expect((await operator.patch(path, { price_bps: null, own_credential_bps: 500 })).body).toMatchObject({
        ...{ price_bps: null, own_credential_bps: 500 },
        effective: { price_bps: 10_000, own_credential_bps: 500 },
      });
      const entries = await management.database.prisma.auditEntry.findMany({
        where: { organizationId: body.id, action: 'organization.update' },
        orderBy: { id: 'asc' },
      });
      expect(entries.map(({ changes }) => changes)).toEqual([
        { price_bps: { from: null, to: 11_550 }, own_credential_bps: { from: null, to: 0 } },
        { price_bps: { from: 11_550, to: null }, own_credential_bps: { from: 0, to: 500 } },
      ]);
      for (const wrong of [-1, 100_001, 1.5, '500']) {
        const { status, body: refused } = await operator.patch(path, { price_bps: wrong });
        expect([status, refused.error.param]).toEqual([400, 'price_bps']);
      }
    });

    it('lose nothing when two changes meet', async () => {
      const { body } = await create({ owner_email: newEmail() });
      const path = `${ORGANIZATIONS}/${body.id}`;

      await Promise.all([
        operator.patch(path, { rate_limit_rpm: 10 }),
        operator.patch(path, { rate_limit_tpm: 2_000 }),
        operator.patch(path, { state: 'suspended' }),
      ]);

      expect((await operator.get(path)).body).toMatchObject({
        rate_limit_rpm: 10,
        rate_limit_tpm: 2_000,
        state: 'suspended',
      });
    });

    it('are told to the edges when they do', async () => {
      const told: Change[] = [];
      const logger = createLogger({ service: 'spec', level: 'silent' });
      const feed = new ChangeFeed({
        database: management.database,
        logger,
        tell: (change) => told.push(change),
      });
      feed.start();
      try {
        await eventually(() => expect(told).toContainEqual({ of: 'anything' }));
        const { body } = await create({ owner_email: newEmail() });
        told.length = 0;
        await operator.patch(`${ORGANIZATIONS}/${body.id}`, { rate_limit_rpm: 10 });
        await eventually(() => expect(told).toContainEqual({ of: 'organization', organizationId: body.id }));
      } finally {
        await feed.stop();
      }
    });

    it('refuse their keys while they are suspended', async () => {
      const organization = await management.newOrganization();
      const key = await management.withKey(organization);
      const path = `${ORGANIZATIONS}/${organization.id}`;

      await operator.patch(path, { state: 'suspended' });
      expect((await key.get('/api/v1/projects')).status).toBe(401);
      await operator.patch(path, { state: 'active' });
      expect((await key.get('/api/v1/projects')).status).toBe(200);
    });

    it('let their members read, and change nothing, while they are suspended', async () => {
      const organization = await management.newOrganization();
      const owner = await management.withSession(organization, 'owner');
      await operator.patch(`${ORGANIZATIONS}/${organization.id}`, { state: 'suspended' });
      for (const path of ['projects', 'keys', 'wallet', 'webhook-endpoints', 'audit-log']) {
        expect((await owner.get(`/api/v1/${path}`)).status).toBe(200);
      }
      expect((await owner.get(`/api/v1/organizations/${organization.id}`)).body).toMatchObject({
        state: 'suspended',
      });
      expect(await owner.post('/api/v1/projects', { name: 'Late' })).toMatchObject({
        status: 403,
        body: { error: { code: 'permission_denied' } },
      });
    });

    it.each([
      [{ rate_limit_rpm: 0 }, 'rate_limit_rpm'],
      [{ rate_limit_rpm: 1.5 }, 'rate_limit_rpm'],
      [{ rate_limit_tpm: 2_147_483_648 }, 'rate_limit_tpm'],
      [{ state: 'gone' }, 'state'],
      [{ name: 'Other' }, 'name'],
    ])('refuse %j, naming the field', async (change, param) => {
      const { id } = await management.newOrganization();
      expect(await operator.patch(`${ORGANIZATIONS}/${id}`, change)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', param } },
      });
    });
  });

  describe('that are given credit', () => {
    const grantsOf = (organizationId: string) => `${ORGANIZATIONS}/${organizationId}/credit-grants`;
    const balanceOf = async (organizationId: string): Promise<number> =>
      (await operator.get(`${ORGANIZATIONS}/${organizationId}`)).body.wallet.balance_nanos;

    it('have it in the wallet, in the audit log and in an event', async () => {
      const { id } = await management.newOrganization();
      const granted = await operator.post(grantsOf(id), { amount_nanos: 700, reason: 'Invoice 114' });

      expect(granted).toMatchObject({
        status: 201,
        body: { organization_id: id, amount_nanos: 700, reason: 'Invoice 114' },
      });
      expect(await balanceOf(id)).toBe(700);
      const { prisma } = management.database;
      expect(await prisma.auditEntry.findMany({ where: { organizationId: id } })).toMatchObject([
        {
          actorType: 'operator',
          actorId: null,
          action: 'credit_grant.create',
          targetId: granted.body.id,
          changes: { amount_nanos: { to: 700 }, reason: { to: 'Invoice 114' } },
        },
      ]);
      expect(await prisma.outboxEvent.findMany({ where: { organizationId: id } })).toMatchObject([
        { type: 'wallet.credit_granted', payload: expect.stringContaining(granted.body.id) },
      ]);
    });

    it('get it once for a key, however often and however many at once ask', async () => {
      const { id } = await management.newOrganization();
      const ask = () =>
        operator.call(
          'POST',
          grantsOf(id),
          { amount_nanos: 700, reason: 'Invoice 115' },
          { 'idempotency-key': 'invoice-115' },
        );

      const answers = await Promise.all(Array.from({ length: 8 }, ask));

      expect(answers.map(({ status, body }) => [status, body])).toEqual(
        answers.map(() => [201, answers[0]?.body]),
      );
      expect(await balanceOf(id)).toBe(700);
      expect(await auditOf(id)).toEqual(['operator credit_grant.create']);
    });

    it('get none for a key that another grant was given for; each organization has its own keys', async () => {
      const [{ id }, { id: other }] = [
        await management.newOrganization(),
        await management.newOrganization(),
      ];
      const ask = (organizationId: string, amount: number) =>
        operator.call(
          'POST',
          grantsOf(organizationId),
          { amount_nanos: amount, reason: 'Invoice 116' },
          { 'idempotency-key': 'invoice-116' },
        );

      await ask(id, 1);
      expect(await ask(id, 2)).toMatchObject({
        status: 409,
        body: { error: { code: 'idempotency_key_reused', param: 'Idempotency-Key' } },
      });
      expect((await ask(other, 2)).status).toBe(201);
      expect([await balanceOf(id), await balanceOf(other)]).toEqual([1, 2]);
    });

    it('get none beyond what a wallet can hold, and no trace of it', async () => {
      const { id } = await management.newOrganization();
      await operator.post(grantsOf(id), { amount_nanos: Number.MAX_SAFE_INTEGER, reason: 'All' });
      expect(await operator.post(grantsOf(id), { amount_nanos: 1, reason: 'More' })).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', param: 'amount_nanos' } },
      });
      expect(await balanceOf(id)).toBe(Number.MAX_SAFE_INTEGER);
      expect(await auditOf(id)).toHaveLength(1);
      const where = { organizationId: id };
      expect(await management.database.prisma.outboxEvent.count({ where })).toBe(1);
    });

    it.each([
      [{ amount_nanos: 0, reason: 'x' }, {}, 'amount_nanos'],
      [{ amount_nanos: -1, reason: 'x' }, {}, 'amount_nanos'],
      [{ amount_nanos: 1.5, reason: 'x' }, {}, 'amount_nanos'],
      [{ amount_nanos: 2 ** 53, reason: 'x' }, {}, 'amount_nanos'],
      [{ amount_nanos: 1 }, {}, 'reason'],
      [{ amount_nanos: 1, reason: 'x'.repeat(501) }, {}, 'reason'],
      [{ amount_nanos: 1, reason: 'x' }, { 'idempotency-key': 'k'.repeat(256) }, 'Idempotency-Key'],
      [{ amount_nanos: 1, reason: 'x' }, { 'idempotency-key': '' }, 'Idempotency-Key'],
    ])('refuse %j with %j, naming the field', async (grant, headers, param) => {
      const { id } = await management.newOrganization();
      expect(await operator.call('POST', grantsOf(id), grant, headers)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', param } },
      });
      expect(await balanceOf(id)).toBe(0);
    });
  });

  it.each([
    ['GET', '', undefined],
    ['GET', '/overview', undefined],
    ['GET', '/credit-grants', undefined],
    ['PATCH', '', { rate_limit_rpm: 1 }],
    ['POST', '/owners', { owner_email: 'a@example.com' }],
    ['POST', '/credit-grants', { amount_nanos: 1, reason: 'x' }],
  ])('that are not there answer %s …%s with 404', async (method, path, body) => {
    for (const unknown of [systemIds('organization'), 'org_', '%00', systemIds('project')]) {
      expect(await operator.call(method, `${ORGANIZATIONS}/${unknown}${path}`, body)).toMatchObject({
        status: 404,
        body: { error: { message: 'There is no such resource.' } },
      });
    }
  });

  it('are found by a part of their name as it is written, by their id, by an owner, and by their state', async () => {
    const email = newEmail();
    const { body: found } = await create({
      name: '100%_Ünique',
      owner_email: email,
      owner_password: PASSWORD,
    });
    const { body: other } = await create({ name: '100 Ünique', owner_email: newEmail() });
    const idsAt = async (query: string) =>
      (await operator.get(`${ORGANIZATIONS}?${query}`)).body.data.map(({ id }: { id: string }) => id);

    expect(await idsAt(`q=${encodeURIComponent('ÜNIQUE')}`)).toEqual([other.id, found.id]);
    expect(await idsAt(`q=${encodeURIComponent('%_Ün')}`)).toEqual([found.id]);
    expect(await idsAt('q=_')).toEqual([found.id]);
    expect(await idsAt(`q=${found.id}`)).toEqual([found.id]);
    expect(await idsAt(`q=${encodeURIComponent(email.toUpperCase())}`)).toEqual([found.id]);
    await operator.patch(`${ORGANIZATIONS}/${other.id}`, { state: 'suspended' });
    expect(await idsAt(`q=${encodeURIComponent('Ünique')}&state=suspended`)).toEqual([other.id]);
    expect((await operator.get(`${ORGANIZATIONS}?state=gone`)).status).toBe(400);
  });

  it('are the operator’s alone', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const owner = await management.withSession(organization, 'owner');
    for (const caller of [
      key,
      owner,
      management.client({}),
      management.client({ authorization: 'Bearer x' }),
    ]) {
      expect((await caller.get(ORGANIZATIONS)).status).toBe(401);
      expect((await caller.patch(`${ORGANIZATIONS}/${organization.id}`, {})).status).toBe(401);
      for (const path of ['/overview', '/credit-grants'])
        expect((await caller.get(`${ORGANIZATIONS}/${organization.id}${path}`)).status).toBe(401);
    }
  });
});
