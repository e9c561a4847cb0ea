import { approvalRetention, ApprovalUpkeep } from '@svc/approvals/store';
import { Retention } from '@svc/database';
import { startManagement, type ManagementUnderTest } from '../testing/management-under-test';
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
let upkeep: ApprovalUpkeep;
let org: GatedOrganization;
beforeAll(async () => {
  management = await startManagement();
  upkeep = new ApprovalUpkeep(management.database);
});
afterAll(() => management.close());
beforeEach(async () => {
  org = await newGatedOrganization(management);
});

const projects = '/api/v1/projects';
const namesOfProjects = async () => {
  const { body } = await org.ada.get(projects);
  return (body.data as { name: string }[]).map(({ name }) => name);
};
const stateOf = async (id: string) => (await org.ada.get(requestAt(id))).body.state as string;
const auditOf = async (action: string) => {
  const { body } = await org.ada.get(`/api/v1/audit-log?action=${action}`);
  return body.data as Record<string, unknown>[];
};
const eventsOf = async (type: string) => {
  const where = { organizationId: org.organization.id, type };
  const rows = await management.database.prisma.outboxEvent.findMany({ where });
  return rows.map(({ payload }) => (JSON.parse(payload) as { data: Record<string, unknown> }).data);
};

describe('a gated change', () => {
  beforeEach(() => addPolicy(org.ada, { actions: ['project.*'] }));

  it('waits and changes nothing, then is made once, as its requester', async () => {
    const answer = await org.dev.call(
      'POST',
      projects,
      { name: 'Alpha' },
      { 'svc-approval-reason': 'The pilot' },
    );
    const id = waitingIn(answer);
    expect(await namesOfProjects()).toEqual(['First']);
    const { body: request } = await org.dev.get(requestAt(id));
    expect(request).toMatchObject({
      action: 'project.create',
      target_id: null,
      method: 'POST',
      path: projects,
      body: { name: 'Alpha' },
      changes: { name: { to: 'Alpha' } },
      requested_by: { type: 'user', id: org.dev.userId, user_id: org.dev.userId },
      reason: 'The pilot',
      policies: [{ name: 'Two pairs of eyes', version: 1, required_approvals: 1, approval_count: 0 }],
      decisions: [],
      state: 'pending',
      result: null,
      error: null,
    });
    expect(await eventsOf('approval.requested')).toEqual([
      { approval_request_id: id, action: 'project.create', target_id: null, requested_by: org.dev.userId },
    ]);

    const approved = await approve(org.ada, id);
    expect([approved.status, approved.body.policies]).toMatchObject([200, [{ approval_count: 1 }]]);
    const done = await ended(org.ada, id);
    expect(done).toMatchObject({
      state: 'executed',
      result: { status: 201, target_id: expect.stringMatching(/^proj_/), secret: 'none' },
    });
    expect(await namesOfProjects()).toEqual(['Alpha', 'First']);
    expect(await auditOf('project.create')).toMatchObject([
      {
        actor: { type: 'user', id: org.dev.userId },
        approval_request_id: id,
        target: { id: done.result.target_id },
      },
    ]);
    expect(await eventsOf('approval.decided')).toMatchObject([
      { decision: 'approved', decided_by: org.ada.userId },
    ]);
    for (const verb of ['create', 'approve', 'execute']) {
      expect([verb, await auditOf(`approval_request.${verb}`)]).toMatchObject([verb, [{ target: { id } }]]);
    }
  });

  it('finds its pending request again, by both path forms', async () => {
    const id = waitingIn(await org.dev.post(projects, { name: 'Alpha' }));
    expect(waitingIn(await org.dev.post(projects, { name: 'Alpha' }))).toBe(id);
    const scoped = `/api/v1/organizations/${org.organization.id}/projects`;
    expect(waitingIn(await org.dev.post(scoped, { name: 'Alpha' }))).toBe(id);
    expect(waitingIn(await org.dev.post(projects, { name: 'Beta' }))).not.toBe(id);
    expect(waitingIn(await org.ada.post(projects, { name: 'Alpha' }))).not.toBe(id);
  });

  it('mails those who may approve, and not the requester', async () => {
    waitingIn(await org.ada.post(projects, { name: 'Alpha' }));
    const mails = await management.database.prisma.mail.findMany({
      where: { organizationId: org.organization.id },
    });
    expect(mails).toMatchObject([{ memberId: org.bob.memberId, subject: 'Approval needed: project.create' }]);
  });

  it('answers bad input, missing permission and unknown things as ever, without a request', async () => {
    expect((await org.dev.post(projects, { name: '' })).status).toBe(400);
    expect((await org.eve.post(projects, { name: 'Alpha' })).status).toBe(403);
    const unknown = `${projects}/${org.organization.projectId.replace(/.{4}$/, '0000')}`;
    expect((await org.dev.patch(unknown, { name: 'Alpha' })).status).toBe(404);
    expect((await org.ada.get('/api/v1/approval-requests')).body.data).toEqual([]);
  });

  it('has a reason of 500 characters at most', async () => {
    const headers = { 'svc-approval-reason': 'x'.repeat(501) };
    const { status, body } = await org.dev.call('POST', projects, { name: 'Alpha' }, headers);
    expect([status, body.error.param]).toEqual([400, 'Svc-Approval-Reason']);
  });

  it('is refused above 100 pending ones', async () => {
    const answers = [];
    for (let at = 0; at <= 100; at++) answers.push(await org.dev.post(projects, { name: `P${String(at)}` }));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(100);
    expect(answers.at(-1)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(waitingIn(await org.dev.post(projects, { name: 'P1' }))).toMatch(/^apr_/);
  });
});

describe('the states of a request', () => {
  beforeEach(() => addPolicy(org.ada, { actions: ['project.*'] }));
  const ask = async () => waitingIn(await org.dev.post(projects, { name: 'Alpha' }));

  it('pending, rejected: one rejection is enough and final', async () => {
    const id = await ask();
    const rejected = await org.bob.post(`${requestAt(id)}/reject`, { comment: 'No.' });
    expect(rejected.body).toMatchObject({
      state: 'rejected',
      decisions: [{ user_id: org.bob.userId, decision: 'rejected', comment: 'No.' }],
    });
    expect((await org.bob.post(`${requestAt(id)}/reject`, {})).status).toBe(200);
    expect((await approve(org.ada, id)).status).toBe(409);
    expect(await eventsOf('approval.decided')).toMatchObject([{ decision: 'rejected' }]);
  });

  it('pending, cancelled: by the requester or with approval:write, and nobody else', async () => {
    const id = await ask();
    expect((await org.eve.post(`${requestAt(id)}/cancel`)).status).toBe(403);
    expect((await org.dev.post(`${requestAt(id)}/cancel`)).body.state).toBe('cancelled');
    expect((await org.dev.post(`${requestAt(id)}/cancel`)).status).toBe(409);
    const other = await ask();
    expect((await org.bob.post(`${requestAt(other)}/cancel`)).body.state).toBe('cancelled');
    expect(await eventsOf('approval.decided')).toMatchObject([
      { decision: 'cancelled', decided_by: org.dev.userId },
      { decision: 'cancelled', decided_by: org.bob.userId },
    ]);
  });

  it('pending, cancelled: once the requester’s membership has ended', async () => {
    const id = await ask();
    await upkeep.cancelOrphaned();
    expect(await stateOf(id)).toBe('pending');
    await org.ada.delete(`/api/v1/members/${org.dev.memberId}`);
    await upkeep.cancelOrphaned();
    expect(await stateOf(id)).toBe('cancelled');
    expect(await auditOf('approval_request.cancel')).toMatchObject([{ actor: { type: 'system' } }]);
  });

  it('pending, cancelled: once the requester’s key is revoked', async () => {
    const key = await management.withKey(org.organization, ['project:write']);
    const id = waitingIn(await key.post(projects, { name: 'Alpha' }));
    await org.ada.delete(`/api/v1/keys/${key.keyId}`);
    await upkeep.cancelOrphaned();
    expect(await stateOf(id)).toBe('cancelled');
  });

  it('pending, expired: at its time, and not decided after it', async () => {
    const id = await ask();
    await management.database.pool.query(`UPDATE approval_requests SET expires_at = now() WHERE id = $1`, [
      id,
    ]);
    expect((await approve(org.ada, id)).status).toBe(409);
    await upkeep.expire();
    expect(await stateOf(id)).toBe('expired');
    expect(await eventsOf('approval.decided')).toMatchObject([{ decision: 'expired', decided_by: null }]);
    expect(await auditOf('approval_request.expire')).toHaveLength(1);
  });

  it('approved, failed: where nobody could execute it for a day', async () => {
    const id = await ask();
    await management.database.pool.query(`UPDATE approval_requests SET route = 'POST /gone' WHERE id = $1`, [
      id,
    ]);
    await approve(org.ada, id);
    expect(await stateOf(id)).toBe('approved');
    await upkeep.failStale();
    expect(await stateOf(id)).toBe('approved');
    await management.database.pool.query(
      `UPDATE approval_requests SET decided_at = decided_at - interval '1 day' WHERE id = $1`,
      [id],
    );
    await upkeep.failStale();
    const { body } = await org.ada.get(requestAt(id));
    expect(body).toMatchObject({ state: 'failed', error: { status: 500, code: 'internal' } });
  });

  it('keeps nothing of the call once it has ended', async () => {
    const id = await ask();
    await org.dev.post(`${requestAt(id)}/cancel`);
    const row = await management.database.prisma.approvalRequest.findUniqueOrThrow({ where: { id } });
    expect(row.callCiphertext).toBeNull();
  });

  it('is deleted 400 days after its end, and not before', async () => {
    const retention = new Retention(management.database);
    const id = await ask();
    await org.dev.post(`${requestAt(id)}/cancel`);
    await retention.deleteDue(approvalRetention);
    expect((await org.dev.get(requestAt(id))).status).toBe(200);
    await management.database.pool.query(
      `UPDATE approval_requests SET ended_at = now() - interval '401 days' WHERE id = $1`,
      [id],
    );
    await retention.deleteDue(approvalRetention);
    expect((await org.dev.get(requestAt(id))).status).toBe(404);
  });
});

describe('an approved change fails, and changes nothing, where meanwhile', () => {
  const failure = async (id: string) => {
    await approve(org.ada, id);
    const request = await ended(org.ada, id);
    expect(request.state).toBe('failed');
    expect(request.result).toBeNull();
    return request.error as Record<string, unknown>;
  };

  it('the requester was demoted', async () => {
    await addPolicy(org.ada, { actions: ['project.*'] });
    const id = waitingIn(await org.dev.post(projects, { name: 'Alpha' }));
    await org.ada.patch(`/api/v1/members/${org.dev.memberId}`, { role: 'viewer' });
    expect(await failure(id)).toMatchObject({ status: 403, code: 'permission_denied' });
    expect(await namesOfProjects()).toEqual(['First']);
  });

  it('the key was revoked', async () => {
    await addPolicy(org.ada, { actions: ['project.*'] });
    const key = await management.withKey(org.organization, ['project:write']);
    const id = waitingIn(await key.post(projects, { name: 'Alpha' }));
    await org.ada.delete(`/api/v1/keys/${key.keyId}`);
    expect(await failure(id)).toMatchObject({ status: 403, code: 'permission_denied' });
    expect(await namesOfProjects()).toEqual(['First']);
  });

  it('the target was changed', async () => {
    const project = `${projects}/${org.organization.projectId}`;
    await addPolicy(org.ada, { actions: ['project.update'] });
    const id = waitingIn(await org.dev.patch(project, { name: 'Alpha' }));
    const other = waitingIn(await org.dev.patch(project, { state: 'archived' }));
    await approve(org.ada, other);
    expect(await ended(org.ada, other)).toMatchObject({ state: 'executed' });
    expect(await failure(id)).toMatchObject({ status: 409, code: 'target_changed' });
    expect(await namesOfProjects()).toEqual(['First']);
  });

  it('the key that it replaces was changed', async () => {
    const made = await org.ada.post('/api/v1/keys', { name: 'Old', scopes: ['usage:read'] });
    const replaces = made.body.api_key.id as string;
    await addPolicy(org.ada, { actions: ['api_key.create'] });
    await addPolicy(org.ada, {
      name: 'Changes',
      actions: ['api_key.update'],
      approvers: { roles: ['finance', 'owner'] },
    });
    const key = { name: 'New', scopes: ['usage:read'], replaces };
    const id = waitingIn(await org.ada.post('/api/v1/keys', key));
    expect((await approve(org.bob, id)).body.state).toBe('pending');
    await management.database.prisma.apiKey.update({ where: { id: replaces }, data: { name: 'Older' } });
    await approve(org.eve, id);
    const failed = await ended(org.ada, id);
    expect(failed).toMatchObject({ state: 'failed', error: { code: 'target_changed' } });
    const again = waitingIn(await org.ada.post('/api/v1/keys', key));
    await approve(org.bob, again);
    await approve(org.eve, again);
    const { result, state } = await ended(org.ada, again);
    expect(state).toBe('executed');
    const { body } = await org.ada.get(`/api/v1/keys/${replaces}`);
    expect(body.replaced_by).toBe(result.target_id);
  });

  it('the name was taken', async () => {
    await addPolicy(org.ada, { actions: ['invitation.create'] });
    const invitee = { email: `${org.organization.id}@example.com`, role: 'viewer' };
    const id = waitingIn(await org.ada.post('/api/v1/members/invitations', invitee));
    const user = await management.database.prisma.user.create({
      data: { id: org.organization.id.replace('org', 'usr'), email: invitee.email },
    });
    const data = {
      id: user.id.replace('usr', 'mem'),
      organizationId: org.organization.id,
      userId: user.id,
      role: 'viewer',
    };
    await management.database.prisma.member.create({ data });
    await approve(org.bob, id);
    expect(await ended(org.bob, id)).toMatchObject({
      state: 'failed',
      error: { status: 409, code: 'conflict', param: 'email' },
    });
    expect((await org.ada.get('/api/v1/members/invitations')).body.data).toEqual([]);
  });
});

describe('which changes wait', () => {
  const budgets = '/api/v1/budgets';
  const budget = (nanos: number) => ({
    name: 'B',
    scope: 'organization',
    period: 'month',
    amount_nanos: nanos,
    action: 'warn',
  });

  it('only greater amounts, where the policy has an amount', async () => {
    await addPolicy(org.ada, { actions: ['budget.*'], amount_above_nanos: 1_000 });
    const small = await org.ada.post(budgets, budget(1_000));
    expect(small.status).toBe(201);
    waitingIn(await org.ada.post(budgets, budget(1_001)));
    const path = `${budgets}/${small.body.id as string}`;
    waitingIn(await org.ada.patch(path, { amount_nanos: 2_000 }));
    expect((await org.ada.patch(path, { action: 'block' })).status).toBe(200);
    expect((await org.ada.delete(path)).status).toBe(204);
  });

  it('none that changes nothing', async () => {
    const { body } = await org.ada.post(budgets, budget(5));
    await addPolicy(org.ada, { actions: ['budget.*'] });
    expect((await org.ada.patch(`${budgets}/${body.id as string}`, { amount_nanos: 5 })).status).toBe(200);
  });

  it('none of a disabled policy', async () => {
    await addPolicy(org.ada, { actions: ['budget.*'], enabled: false });
    expect((await org.ada.post(budgets, budget(5))).status).toBe(201);
  });

  it('until each of several policies is satisfied', async () => {
    await addPolicy(org.ada, { actions: ['budget.*'], required_approvals: 1 });
    await addPolicy(org.ada, {
      name: 'Money',
      actions: ['budget.create'],
      approvers: { roles: ['finance', 'owner'] },
    });
    const id = waitingIn(await org.ada.post(budgets, budget(5)));
    expect((await approve(org.bob, id)).body.state).toBe('pending');
    expect((await approve(org.eve, id)).body.state).not.toBe('pending');
    expect(await ended(org.ada, id)).toMatchObject({ state: 'executed' });
  });
});
