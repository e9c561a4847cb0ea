import { systemIds } from '@svc/runtime';
import {
  startManagement,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

describe('members', () => {
  let management: ManagementUnderTest;

  beforeAll(async () => {
    management = await startManagement();
  });
  afterAll(() => management.close());

  const auditOf = (targetId: string) =>
    management.database.prisma.auditEntry.findMany({
      where: { targetId },
      orderBy: { id: 'asc' },
      select: { actorType: true, actorId: true, action: true, changes: true },
    });
  const membersPath = ({ id }: Organization) => `/api/v1/organizations/${id}/members`;

  /** A member's consent for an app, with a live access token. */
  async function consentOf(organization: Organization, userId: string) {
    const { prisma } = management.database;
    const appId = systemIds('oauthApp');
    const grantId = systemIds('grant');
    const soon = new Date(Date.now() + 60_000);
    await prisma.oauthApp.create({
      data: {
        id: appId,
        organizationId: organization.id,
        name: 'App',
        appType: 'public',
        clientId: appId,
      },
    });
    await prisma.oauthGrant.create({
      data: { id: grantId, organizationId: organization.id, userId, appId, scopes: ['usage:read'] },
    });
    await prisma.accessToken.create({
      data: { jti: grantId, grantId, codeSha256: Buffer.alloc(32), scopes: ['usage:read'], expiresAt: soon },
    });
    return { grantId, jti: grantId };
  }

  it('are listed newest first, by role and by state, and read one by one at both path forms', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const finance = await management.withSession(organization, 'finance');

    const list = await owner.get(membersPath(organization));
    expect(list.body.data.map(({ role }: { role: string }) => role)).toEqual(['finance', 'owner', 'owner']);
    expect(list.body.data[0]).toEqual({
      id: finance.memberId,
      organization_id: organization.id,
      user_id: finance.userId,
      email: `${finance.userId}@example.com`,
      email_verified: false,
      role: 'finance',
      state: 'active',
      last_seen_at: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await owner.get('/api/v1/members?role=finance')).body.data).toHaveLength(1);
    expect((await owner.get('/api/v1/members?state=removed')).body.data).toHaveLength(0);
    expect((await owner.get(`/api/v1/members/${finance.memberId}`)).body).toEqual(list.body.data[0]);
    expect((await owner.get('/api/v1/members?state=gone')).body.error.param).toBe('state');
  });

  it('get another role, which holds from their next call on', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const member = await management.withSession(organization, 'developer');
    const path = `${membersPath(organization)}/${member.memberId}`;

    expect((await member.post('/api/v1/projects', { name: 'Before' })).status).toBe(201);
    expect(await owner.patch(path, { role: 'viewer' })).toMatchObject({
      status: 200,
      body: { role: 'viewer' },
    });
    expect((await member.post('/api/v1/projects', { name: 'After' })).status).toBe(403);
    expect((await owner.patch(path, {})).body.role).toBe('viewer');
    expect((await owner.patch(path, { role: 'viewer' })).status).toBe(200);
    expect(await auditOf(member.memberId)).toEqual([
      {
        actorType: 'user',
        actorId: owner.userId,
        action: 'member.update',
        changes: { role: { from: 'developer', to: 'viewer' } },
      },
    ]);
  });

  it('lose at once all that the membership gave when they are removed, and stay readable', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const member = await management.withSession(organization, 'developer');
    const { grantId, jti } = await consentOf(organization, member.userId);
    const path = `/api/v1/members/${member.memberId}`;

    expect((await member.get('/api/v1/projects')).status).toBe(200);
    expect((await owner.delete(path)).status).toBe(204);
    expect((await member.get('/api/v1/projects')).status).toBe(404);

    const { prisma } = management.database;
    expect(await prisma.oauthGrant.findUnique({ where: { id: grantId } })).toMatchObject({
      state: 'revoked',
    });
    expect((await prisma.accessToken.findUnique({ where: { jti } }))?.revokedAt).not.toBeNull();
    expect((await owner.get(path)).body.state).toBe('removed');
    expect((await owner.delete(path)).status).toBe(204);
    expect(await owner.patch(path, { role: 'viewer' })).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', type: 'invalid_request', retriable: false } },
    });
    expect((await auditOf(member.memberId)).map(({ action }) => action)).toEqual(['member.delete']);
  });

  it('show when they were last seen, until they are removed, and whether the address is theirs', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const member = await management.withSession(organization, 'developer');
    const path = `/api/v1/members/${member.memberId}`;
    const at = new Date('2026-11-20T09:30:00.000Z');
    await management.database.prisma.user.update({
      where: { id: member.userId },
      data: { lastSeenAt: at, emailVerifiedAt: at },
    });
    expect((await owner.get(path)).body).toMatchObject({
      last_seen_at: '2026-11-20T09:30:00.000Z',
      email_verified: true,
    });
    await owner.delete(path);
    expect((await owner.get(path)).body.last_seen_at).toBeNull();
    const [neverSeen] = (await owner.get('/api/v1/members')).body.data.slice(-1);
    expect(neverSeen.last_seen_at).toBeNull();
  });

  it('leave by themselves, whatever their role, and lose what the membership gave', async () => {
    const organization = await management.newOrganization();
    const member = await management.withSession(organization, 'finance');
    const { grantId } = await consentOf(organization, member.userId);

    expect(await member.post(`/api/v1/members/${member.memberId}/leave`)).toMatchObject({
      status: 200,
      body: { id: member.memberId, state: 'removed' },
    });

    expect((await member.get('/api/v1/projects')).status).toBe(404);
    const { prisma } = management.database;
    expect(await prisma.oauthGrant.findUnique({ where: { id: grantId } })).toMatchObject({
      state: 'revoked',
    });
    expect(await auditOf(member.memberId)).toEqual([
      {
        actorType: 'user',
        actorId: member.userId,
        action: 'member.leave',
        changes: { state: { from: 'active', to: 'removed' } },
      },
    ]);
  });

  it('are not made to leave by others, nor by keys', async () => {
    const organization = await management.newOrganization();
    const member = await management.withSession(organization, 'developer');
    const path = `/api/v1/members/${member.memberId}/leave`;
    for (const other of [
      await management.withSession(organization, 'owner'),
      await management.withKey(organization),
    ]) {
      expect((await other.post(path)).status).toBe(403);
    }
    expect((await member.get('/api/v1/projects')).status).toBe(200);
  });

  it('do not leave as the last owner, also when the last two leave at once', async () => {
    const organization = await management.newOrganization();
    const owners = [
      await management.withSession(organization, 'owner'),
      await management.withSession(organization, 'owner'),
    ];
    // The owner who comes with the organization.
    await management.database.prisma.member.updateMany({
      where: { organizationId: organization.id, userId: organization.ownerId },
      data: { role: 'viewer' },
    });
    const leave = (owner: (typeof owners)[number]) => owner.post(`/api/v1/members/${owner.memberId}/leave`);
    const answers = await Promise.all(owners.map(leave));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it.each([
    ['demoted', 'PATCH', { role: 'developer' }],
    ['removed', 'DELETE', undefined],
  ])('cannot be %s as the last owner', async (_, method, body) => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const [owner] = (await key.get('/api/v1/members')).body.data;

    const refused = await key.call(method, `/api/v1/members/${owner.id}`, body);

    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect((await key.get(`/api/v1/members/${owner.id}`)).body).toEqual(owner);
    expect(await auditOf(owner.id)).toEqual([]);
  });

  it('take the open invitations that they made along, and no others', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const leaving = await management.withSession(organization, 'owner');
    const invite = async (by: typeof owner, email: string) =>
      (await by.post('/api/v1/members/invitations', { email, role: 'viewer' })).body.invitation as {
        id: string;
      };
    const open = await invite(leaving, 'open@example.com');
    const revoked = await invite(leaving, 'revoked@example.com');
    await owner.delete(`/api/v1/members/invitations/${revoked.id}`);
    const kept = await invite(owner, 'kept@example.com');

    await owner.delete(`/api/v1/members/${leaving.memberId}`);
    const stateOf = async ({ id }: { id: string }) =>
      (await owner.get(`/api/v1/members/invitations/${id}`)).body.state as string;
    expect(await Promise.all([open, revoked, kept].map(stateOf))).toEqual(['revoked', 'revoked', 'pending']);
    expect((await auditOf(open.id)).map(({ action }) => action)).toEqual([
      'invitation.create',
      'invitation.revoke',
    ]);
    expect((await auditOf(revoked.id)).map(({ action }) => action)).toEqual([
      'invitation.create',
      'invitation.revoke',
    ]);
  });

  it('always leave one owner, however two that demote and remove each other meet', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const [{ id: first }] = (await key.get('/api/v1/members')).body.data;
    const { memberId: second } = await management.withSession(organization, 'viewer');
    const { prisma } = management.database;

    for (let round = 0; round < 100; round++) {
      await prisma.member.updateMany({
        where: { id: { in: [first, second] } },
        data: { role: 'owner', state: 'active' },
      });
      const demote = key.patch(`/api/v1/members/${first}`, { role: 'developer' });
      const other = `/api/v1/members/${second}`;
      const remove = round % 2 === 0 ? key.delete(other) : key.patch(other, { role: 'viewer' });
      const statuses = (await Promise.all([demote, remove])).map(({ status }) => status);

      const where = { organizationId: organization.id, role: 'owner', state: 'active' };
      expect(await prisma.member.count({ where })).toBe(1);
      expect(statuses.filter((status) => status === 409)).toHaveLength(1);
    }
  });

  it.each([
    ['give a role beyond their own', 'developer', { role: 'finance' }, 'role'],
    ['change who has more than they have', 'owner', { role: 'viewer' }, undefined],
  ] as const)('cannot %s', async (_, roleOfOther, change, param) => {
    const organization = await management.newOrganization();
    const admin = await management.withSession(organization, 'security_admin');
    const other = await management.withSession(organization, roleOfOther);

    const refused = await admin.patch(`/api/v1/members/${other.memberId}`, change);

    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'permission_denied' } } });
    expect(refused.body.error.param).toBe(param);
    expect((await admin.get(`/api/v1/members/${other.memberId}`)).body.role).toBe(roleOfOther);
    expect(await auditOf(other.memberId)).toEqual([]);
  });

  it('cannot remove who has more than they have, nor with a key that has less', async () => {
    const organization = await management.newOrganization();
    const admin = await management.withSession(organization, 'security_admin');
    const owner = await management.withSession(organization, 'owner');
    const key = await management.withKey(organization, ['member:read', 'member:write']);

    expect((await admin.delete(`/api/v1/members/${owner.memberId}`)).status).toBe(403);
    expect((await key.delete(`/api/v1/members/${admin.memberId}`)).status).toBe(403);
    expect((await owner.get('/api/v1/members?state=removed')).body.data).toEqual([]);
  });

  it('are changed by who has member:write alone', async () => {
    const organization = await management.newOrganization();
    const viewer = await management.withSession(organization, 'viewer');
    const developer = await management.withSession(organization, 'developer');

    expect((await viewer.get('/api/v1/members')).status).toBe(200);
    expect((await developer.get('/api/v1/members')).status).toBe(403);
    expect((await viewer.delete(`/api/v1/members/${viewer.memberId}`)).status).toBe(403);
    expect((await viewer.patch(`/api/v1/members/${viewer.memberId}`, {})).status).toBe(403);
  });

  it('of another organization are not found, in the same words as ones that never were', async () => {
    const theirs = await management.withSession(await management.newOrganization(), 'viewer');
    const key = await management.withKey(await management.newOrganization());
    const foreign = `/api/v1/members/${theirs.memberId}`;

    for (const answered of [
      await key.get(foreign),
      await key.patch(foreign, { role: 'viewer' }),
      await key.delete(foreign),
      await key.get(`/api/v1/members/${systemIds('member')}`),
      await key.get(`/api/v1/members/${theirs.userId}`),
    ]) {
      expect(answered).toMatchObject({
        status: 404,
        body: { error: { message: 'There is no such resource.' } },
      });
    }
  });

  it.each([
    [{ role: 'emperor' }, 'role'],
    [{ role: null }, 'role'],
    [{ state: 'removed' }, 'state'],
  ])('refuse %j, naming the field', async (body, param) => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const { memberId } = await management.withSession(organization, 'viewer');
    expect(await key.patch(`/api/v1/members/${memberId}`, body)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param } },
    });
  });
});
