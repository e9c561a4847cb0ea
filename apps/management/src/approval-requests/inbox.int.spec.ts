import { ApprovalUpkeep } from '@svc/approvals/store';
import {
  addPolicy,
  approve,
  newGatedOrganization,
  requestAt,
  waitingIn,
  type GatedOrganization,
} from '../testing/gated-organization';
import { type Client, startManagement, type ManagementUnderTest } from '../testing/management-under-test';

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

describe('the list of requests', () => {
  const idsOf = async (client: Client, query: string) => {
    const { body } = await client.get(`/api/v1/approval-requests?${query}`);
    return (body.data as { id: string }[]).map(({ id }) => id);
  };
  let asked: Record<'dev' | 'ada', string>;
  beforeEach(async () => {
    // A third approver: two of three must approve what one of them asks for.
    await management.withSession(org.organization, 'security_admin');
    await addPolicy(org.ada, { actions: ['project.*'], required_approvals: 2 });
    asked = {
      dev: waitingIn(await org.dev.post(projects, { name: 'Alpha' })),
      ada: waitingIn(await org.ada.post(projects, { name: 'Beta' })),
    };
  });

  it('with awaiting=me has what waits for one’s own decision, and nothing else', async () => {
    expect(await idsOf(org.bob, 'awaiting=me')).toEqual([asked.ada, asked.dev]);
    expect(await idsOf(org.ada, 'awaiting=me')).toEqual([asked.dev]);
    expect(await idsOf(org.eve, 'awaiting=me')).toEqual([]);
    expect((await approve(org.bob, asked.dev)).body.state).toBe('pending');
    expect(await idsOf(org.bob, 'awaiting=me')).toEqual([asked.ada]);
  });

  it('is filtered by requester, state and action', async () => {
    expect(await idsOf(org.bob, `requested_by=${org.dev.userId}`)).toEqual([asked.dev]);
    expect(await idsOf(org.bob, 'action=project.create')).toEqual([asked.ada, asked.dev]);
    expect(await idsOf(org.bob, 'action=budget.create')).toEqual([]);
    await org.bob.post(`${requestAt(asked.ada)}/reject`, {});
    expect(await idsOf(org.bob, 'state=rejected')).toEqual([asked.ada]);
    expect(await idsOf(org.bob, 'state=pending')).toEqual([asked.dev]);
  });

  it('shows a key without approval:read its own requests alone', async () => {
    const key = await management.withKey(org.organization, ['project:write']);
    const own = waitingIn(await key.post(projects, { name: 'Gamma' }));
    expect((await key.get(requestAt(own))).body.id).toBe(own);
    expect((await key.get(requestAt(asked.dev))).status).toBe(404);
  });
});

it('a request of a key that has expired is cancelled', async () => {
  await addPolicy(org.ada, { actions: ['project.*'] });
  const key = await management.withKey(org.organization, ['project:write']);
  const id = waitingIn(await key.post(projects, { name: 'Alpha' }));
  await management.database.pool.query(`UPDATE api_keys SET expires_at = now() WHERE id = $1`, [key.keyId]);
  await new ApprovalUpkeep(management.database).cancelOrphaned();
  expect((await org.ada.get(requestAt(id))).body.state).toBe('cancelled');
});

it('an organization has at most 50 policies', async () => {
  for (let at = 0; at < 50; at++)
    await addPolicy(org.ada, { name: `Policy ${String(at)}`, actions: ['project.*'], enabled: false });
  const further = await org.ada.post('/api/v1/approval-policies', {
    name: 'One more',
    actions: ['project.*'],
    approvers: { roles: ['security_admin'] },
  });
  expect(further).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
});

it('open requests are counted by their state', async () => {
  await addPolicy(org.ada, { actions: ['project.*'] });
  const upkeep = new ApprovalUpkeep(management.database);
  const { pending: before } = await upkeep.countOpen();
  const id = waitingIn(await org.dev.post(projects, { name: 'Alpha' }));
  expect((await upkeep.countOpen()).pending).toBe(before + 1);
  await org.dev.post(`${requestAt(id)}/cancel`);
  expect((await upkeep.countOpen()).pending).toBe(before);
});
