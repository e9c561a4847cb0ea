import { systemIds } from '@svc/runtime';
import {
  startManagement,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

describe('organizations', () => {
  let management: ManagementUnderTest;

  beforeAll(async () => {
    management = await startManagement();
  });
  afterAll(() => management.close());

  const path = ({ id }: Organization) => `/api/v1/organizations/${id}`;

  const join = (organization: Organization, userId: string, role: string) =>
    management.database.prisma.member.create({
      data: { id: `mem_${userId.slice(4)}`, organizationId: organization.id, userId, role },
    });

  it('are read and renamed by their owner, who finds the change in the audit log', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');

    expect(await owner.get(path(organization))).toMatchObject({
      status: 200,
      body: { id: organization.id, name: 'Acme', state: 'active' },
    });
    expect(await owner.patch(path(organization), { name: 'Acme Ltd' })).toMatchObject({
      status: 200,
      body: { id: organization.id, name: 'Acme Ltd' },
    });
    expect(
      await management.database.prisma.auditEntry.findMany({ where: { organizationId: organization.id } }),
    ).toMatchObject([
      {
        actorType: 'user',
        actorId: owner.userId,
        action: 'organization.update',
        targetId: organization.id,
        changes: { name: { from: 'Acme', to: 'Acme Ltd' } },
      },
    ]);
  });

  it('say how to reach the operator, where that is set', async () => {
    const { database } = management;
    const told = await startManagement({ database, operatorContact: 'ops@example.com' });
    const organization = await told.newOrganization();
    expect((await (await told.withKey(organization)).get(path(organization))).body).toMatchObject({
      operator_contact: 'ops@example.com',
    });
    await told.close();
    expect((await (await management.withKey(organization)).get(path(organization))).body).toMatchObject({
      operator_contact: null,
    });
  });

  it('declare the label by which usage is summed, and take it back', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const given: unknown[] = [];
    for (const usage_tag of ['team', 'user', null]) {
      const { status, body } = await owner.patch(path(organization), { usage_tag });
      given.push([status, body.name, body.usage_tag]);
    }

    expect(given).toEqual([
      [200, 'Acme', 'team'],
      [200, 'Acme', 'user'],
      [200, 'Acme', null],
    ]);
    const entries = await management.database.prisma.auditEntry.findMany({
      where: { organizationId: organization.id },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ changes }) => changes)).toEqual([
      { usage_tag: { from: null, to: 'team' } },
      { usage_tag: { from: 'team', to: 'user' } },
      { usage_tag: { from: 'user', to: null } },
    ]);
  });

  it('lose nothing where a name and a usage tag change at once', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    await Promise.all([
      key.patch(path(organization), { name: 'Acme Ltd' }),
      key.patch(path(organization), { usage_tag: 'team' }),
    ]);
    expect((await key.get(path(organization))).body).toMatchObject({ name: 'Acme Ltd', usage_tag: 'team' });
  });

  it('say nothing of a change that changes nothing', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');

    for (const body of [{}, { name: 'Acme' }, { usage_tag: null }]) {
      expect(await owner.patch(path(organization), body)).toMatchObject({
        status: 200,
        body: { name: 'Acme' },
      });
    }
    const where = { organizationId: organization.id };
    expect(await management.database.prisma.auditEntry.count({ where })).toBe(0);
  });

  it('are listed for a session without naming one: each that its user is an active member of', async () => {
    const [first, second, third] = [
      await management.newOrganization(),
      await management.newOrganization(),
      await management.newOrganization(),
    ];
    const user = await management.withSession(first, 'viewer');
    await join(second, user.userId, 'finance');

    const page = await user.get('/api/v1/organizations?limit=1');
    const rest = await user.get(`/api/v1/organizations?limit=1&cursor=${page.body.next_cursor}`);

    expect([...page.body.data, ...rest.body.data].map(({ id }: Organization) => id)).toEqual([
      second.id,
      first.id,
    ]);
    expect([page.body.has_more, rest.body.has_more]).toEqual([true, false]);
    expect((await user.get(path(third))).status).toBe(404);
  });

  it('are none for a user who has been removed from the last one', async () => {
    const user = await management.withSession(await management.newOrganization(), 'owner');
    await management.database.prisma.member.update({
      where: { id: user.memberId },
      data: { state: 'removed' },
    });

    expect(await user.get('/api/v1/organizations')).toMatchObject({
      status: 200,
      body: { data: [], has_more: false },
    });
  });

  it('are one for a key: its own', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);

    expect((await key.get('/api/v1/organizations')).body.data).toMatchObject([{ id: organization.id }]);
    expect((await key.get(path(organization))).body).toMatchObject({ id: organization.id });
  });

  it('of others are not found, whether they exist or not', async () => {
    const theirs = await management.newOrganization();
    const key = await management.withKey(await management.newOrganization());

    const answers = [
      await key.get(path(theirs)),
      await key.get(`/api/v1/organizations/${systemIds('organization')}`),
      await key.patch(path(theirs), { name: 'Mine' }),
      await key.get('/api/v1/organizations/%00'),
    ];

    expect(answers.map(({ status, body }) => [status, body.error.message])).toEqual(
      answers.map(() => [404, 'There is no such organization.']),
    );
  });

  it('are renamed by an owner alone, and not read by a key without org:read', async () => {
    const organization = await management.newOrganization();
    const admin = await management.withSession(organization, 'security_admin');
    const key = await management.withKey(organization, ['member:read']);

    for (const refused of [
      await admin.patch(path(organization), { name: 'Mine' }),
      await key.get(path(organization)),
      await key.get('/api/v1/organizations'),
    ]) {
      expect(refused).toMatchObject({ status: 403, body: { error: { code: 'permission_denied' } } });
    }
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'half a character: \ud83d' }, 'name'],
    [{ usage_tag: '' }, 'usage_tag'],
    [{ usage_tag: 'a'.repeat(65) }, 'usage_tag'],
    [{ usage_tag: ['team'] }, 'usage_tag'],
    [{ rate_limit_rpm: 1 }, 'rate_limit_rpm'],
    [{ state: 'active' }, 'state'],
  ])('refuse %j, naming the field', async (body, param) => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    expect(await key.patch(path(organization), body)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param } },
    });
  });

  it('keep the last of many names that are given at once, and an audit trail without a gap', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const names = Array.from({ length: 8 }, (_, at) => `Name ${String(at)}`);

    await Promise.all(names.map((name) => key.patch(path(organization), { name })));

    const entries = await management.database.prisma.auditEntry.findMany({
      where: { targetId: organization.id },
    });
    const steps = new Map(
      entries.map(({ changes }) => {
        const { name } = changes as { name: { from: string; to: string } };
        return [name.from, name.to];
      }),
    );
    let last = 'Acme';
    for (const _ of names) last = steps.get(last) ?? 'a gap';
    expect((await key.get(path(organization))).body.name).toBe(last);
  });
});
