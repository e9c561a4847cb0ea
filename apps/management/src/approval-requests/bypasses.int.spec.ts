import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';
import {
  addPolicy,
  approve,
  ended,
  newGatedOrganization,
  requestAt,
  waitingIn,
  type GatedOrganization,
} from '../testing/gated-organization';

let management: ManagementUnderTest;
let org: GatedOrganization;
beforeAll(async () => {
  management = await startManagement();
});
afterAll(() => management.close());
beforeEach(async () => {
  org = await newGatedOrganization(management);
});

const projects = '/api/v1/projects';
const policies = '/api/v1/approval-policies';

const refused = async (client: Client, id: string) => {
  const { status, body } = await approve(client, id);
  expect([status, body.error.code]).toEqual([403, 'permission_denied']);
  expect((await org.bob.get(requestAt(id))).body.state).toBe('pending');
};

describe('nobody approves their own change', () => {
  beforeEach(() => addPolicy(org.ada, { actions: ['project.*'] }));

  it('by the same or a second session', async () => {
    const id = waitingIn(await org.ada.post(projects, { name: 'Alpha' }));
    await refused(org.ada, id);
    await refused(await management.anotherSession(org.ada.userId), id);
    expect((await approve(org.bob, id)).status).toBe(200);
  });

  it('as the person who made the key that asked', async () => {
    await management.database.prisma.apiKey.updateMany({ data: { createdBy: null } });
    const key = await management.withKey(org.organization, ['project:write']);
    await madeBy(key.keyId, org.ada.userId);
    await refused(org.ada, waitingIn(await key.post(projects, { name: 'Alpha' })));
  });

  it('as the person who made the key that made the key that asked', async () => {
    const first = await management.withKey(org.organization);
    await madeBy(first.keyId, org.ada.userId);
    const minted = await first.post('/api/v1/keys', { name: 'Second', scopes: ['project:write'] });
    const second = management.client({ authorization: `Bearer ${minted.body.key as string}` });
    const id = waitingIn(await second.post(projects, { name: 'Alpha' }));
    expect((await org.bob.get(requestAt(id))).body.requested_by.user_id).toBe(org.ada.userId);
    await refused(org.ada, id);
  });

  it('as the first member, for a key that nobody is known to have made', async () => {
    const key = await management.withKey(org.organization, ['project:write']);
    const id = waitingIn(await key.post(projects, { name: 'Alpha' }));
    const { body } = await org.bob.get(requestAt(id));
    expect(body.requested_by).toEqual({ type: 'api_key', id: key.keyId, user_id: org.organization.ownerId });
  });

  it('as the user behind the access token that asked', async () => {
    const app = await management.withAccessToken(org.organization, 'security_admin', ['projects:write']);
    const id = waitingIn(await app.post(projects, { name: 'Alpha' }));
    const { body } = await org.bob.get(requestAt(id));
    expect(body.requested_by.type).toBe('oauth_app');
    await refused(await management.anotherSession(body.requested_by.user_id as string), id);
  });

  it('by a key or an access token, which never decide', async () => {
    const id = waitingIn(await org.dev.post(projects, { name: 'Alpha' }));
    await refused(await management.withKey(org.organization), id);
    const app = await management.withAccessToken(org.organization, 'owner', ['projects:write']);
    expect((await approve(app, id)).body.error.code).toBe('insufficient_scope');
    const withoutCsrf = management.client({ cookie: org.ada.headers['cookie'] ?? '' });
    await refused(withoutCsrf, id);
  });

  it('by deciding twice', async () => {
    await addPolicy(org.ada, {
      name: 'Two',
      actions: ['budget.*'],
      approvers: { roles: ['security_admin', 'finance'] },
      required_approvals: 2,
    });
    const id = waitingIn(
      await org.ada.post('/api/v1/budgets', {
        name: 'B',
        scope: 'organization',
        period: 'month',
        amount_nanos: 5,
        action: 'warn',
      }),
    );
    for (const _ of [1, 2]) {
      const { body } = await approve(org.bob, id);
      expect([body.state, body.policies[0].approval_count, body.decisions.length]).toEqual(['pending', 1, 1]);
    }
    expect((await approve(org.eve, id)).body.policies[0].approval_count).toBe(2);
  });
});

it('counts an approval only while its person may decide', async () => {
  await addPolicy(org.ada, {
    actions: ['project.*'],
    approvers: { roles: ['finance', 'security_admin'] },
    required_approvals: 2,
  });
  const id = waitingIn(await org.dev.post(projects, { name: 'Alpha' }));
  await approve(org.eve, id);
  // Not by the API, where this change would wait too.
  await management.database.prisma.member.update({
    where: { id: org.eve.memberId },
    data: { role: 'viewer' },
  });
  expect((await approve(org.ada, id)).body).toMatchObject({
    state: 'pending',
    policies: [{ approval_count: 1 }],
  });
  expect((await approve(org.eve, id)).status).toBe(403);
  expect((await approve(org.bob, id)).body.state).not.toBe('pending');
});

describe('a policy cannot be walked around', () => {
  it('by changing or deleting it first, not even while it is disabled', async () => {
    const id = await addPolicy(org.ada, { actions: ['project.*'] });
    const disabling = waitingIn(await org.ada.patch(`${policies}/${id}`, { enabled: false }));
    waitingIn(await org.ada.delete(`${policies}/${id}`));
    waitingIn(await org.dev.post(projects, { name: 'Alpha' }));
    await approve(org.bob, disabling);
    expect(await ended(org.ada, disabling)).toMatchObject({ state: 'executed' });
    expect((await org.ada.get(`${policies}/${id}`)).body).toMatchObject({ enabled: false, version: 2 });
    waitingIn(await org.ada.patch(`${policies}/${id}`, { actions: ['budget.*'] }));
    waitingIn(await org.ada.delete(`${policies}/${id}`));
  });

  it('by an approval that was given to an earlier version of the target', async () => {
    const policy = await addPolicy(org.ada, { actions: ['project.*'] });
    const one = waitingIn(await org.ada.patch(`${policies}/${policy}`, { name: 'One' }));
    const two = waitingIn(await org.ada.patch(`${policies}/${policy}`, { name: 'Two' }));
    for (const id of [one, two]) {
      await approve(org.bob, id);
      await ended(org.bob, id);
    }
    expect((await org.ada.get(requestAt(two))).body.error).toMatchObject({ code: 'target_changed' });
    expect((await org.ada.get(`${policies}/${policy}`)).body.name).toBe('One');
  });

  it('by a second self in an approver’s role', async () => {
    await addPolicy(org.ada, { actions: ['project.*'] });
    const invitations = '/api/v1/members/invitations';
    waitingIn(await org.ada.post(invitations, { email: 'second@example.com', role: 'security_admin' }));
    const harmless = await org.ada.post(invitations, { email: 'second@example.com', role: 'viewer' });
    expect(harmless.status).toBe(201);
    waitingIn(await org.ada.patch(`/api/v1/members/${org.dev.memberId}`, { role: 'security_admin' }));
    waitingIn(await org.ada.patch(`/api/v1/members/${org.bob.memberId}`, { role: 'viewer' }));
    expect((await org.ada.patch(`/api/v1/members/${org.dev.memberId}`, { role: 'viewer' })).status).toBe(200);
  });

  it('by an older invitation into an approver’s role, which ends, or is sent again by approval alone', async () => {
    const invitations = '/api/v1/members/invitations';
    const invited = await org.ada.post(invitations, { email: 'older@example.com', role: 'security_admin' });
    const path = `${invitations}/${invited.body.invitation.id as string}/resend`;
    await addPolicy(org.ada, { actions: ['project.*'] });
    expect((await org.ada.post(path)).status).toBe(409);
  });

  it('by changing an approver who is named', async () => {
    await addPolicy(org.ada, {
      actions: ['project.*'],
      approvers: { user_ids: [org.bob.userId, org.eve.userId] },
    });
    waitingIn(await org.ada.patch(`/api/v1/members/${org.bob.memberId}`, { role: 'viewer' }));
    expect((await org.ada.patch(`/api/v1/members/${org.dev.memberId}`, { role: 'viewer' })).status).toBe(200);
  });

  it('by the owner', async () => {
    await addPolicy(org.ada, { actions: ['project.*'] });
    waitingIn(
      await (await management.anotherSession(org.organization.ownerId)).post(projects, { name: 'Alpha' }),
    );
  });

  it('and is refused where its requests could never be approved', async () => {
    const create = (settings: object) =>
      org.ada.post(policies, { name: 'P', actions: ['project.*'], ...settings });
    for (const settings of [
      { approvers: { roles: ['finance'] } },
      { approvers: { roles: ['developer', 'viewer'] } },
      { approvers: {} },
      { approvers: { roles: ['security_admin'] }, required_approvals: 2 },
    ]) {
      const { status, body } = await create(settings);
      expect([status, body.error.param]).toEqual([400, 'approvers']);
    }
    const unknown = await create({
      approvers: { roles: ['security_admin'] },
      actions: ['project.*', 'api_key.revoke'],
    });
    expect([unknown.status, unknown.body.error.param]).toEqual([400, 'actions[1]']);
  });

  it('shows that too few approvers are left, and is opened by the operator alone', async () => {
    const id = await addPolicy(org.ada, { actions: ['project.*'] });
    expect((await org.ada.get(`${policies}/${id}`)).body.degraded).toBe(false);
    await org.ada.delete(`/api/v1/members/${org.bob.memberId}`);
    expect((await org.ada.get(`${policies}/${id}`)).body.degraded).toBe(true);
    const operator = management.client({ authorization: `Bearer ${management.platformToken}` });
    const path = `/platform/v1/organizations/${org.organization.id}/approval-policies/${id}/disable`;
    const { status, body } = await operator.post(path, { reason: 'Bob has left.' });
    expect([status, body]).toMatchObject([200, { enabled: false }]);
    const audit = await org.ada.get('/api/v1/audit-log?action=approval_policy.disable');
    expect(audit.body.data).toMatchObject([
      { actor: { type: 'operator', id: null }, changes: { reason: { to: 'Bob has left.' } } },
    ]);
    const mails = await management.database.prisma.mail.findMany({
      where: { organizationId: org.organization.id },
    });
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringContaining('disabled by the operator'),
    ]);
    expect((await org.dev.post(projects, { name: 'Alpha' })).status).toBe(201);
  });
});

async function madeBy(keyId: string, userId: string): Promise<void> {
  await management.database.prisma.apiKey.update({ where: { id: keyId }, data: { createdBy: userId } });
}
