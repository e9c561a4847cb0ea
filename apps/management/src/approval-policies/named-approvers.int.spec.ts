import { unusedId } from '@svc/testing';
import { addPolicy, newGatedOrganization, type GatedOrganization } from '../testing/gated-organization';
import { startManagement, type ManagementUnderTest } from '../testing/management-under-test';

const POLICIES = '/api/v1/approval-policies';

describe('the approvers that a policy names', () => {
  let management: ManagementUnderTest;
  let org: GatedOrganization;
  let stranger: string;
  let removed: string;
  beforeAll(async () => {
    management = await startManagement();
    org = await newGatedOrganization(management);
    stranger = (await management.withSession(await management.newOrganization(), 'owner')).userId;
    const left = await management.withSession(org.organization, 'finance');
    const owner = await management.withSession(org.organization, 'owner');
    expect((await owner.delete(`/api/v1/members/${left.memberId}`)).status).toBe(204);
    removed = left.userId;
  });
  afterAll(() => management.close());

  const users = () => ({
    'somebody of another organization': stranger,
    'a removed member': removed,
    nobody: unusedId(org.ada.userId),
  });
  const named = (id: string) => ({ roles: ['security_admin'], user_ids: [org.eve.userId, id] });
  const refusal = {
    status: 400,
    body: { error: { code: 'invalid_request', param: 'approvers.user_ids[1]' } },
  };

  it.each(['somebody of another organization', 'a removed member', 'nobody'] as const)(
    'are never %s, whether it is made or changed, enabled or not',
    async (who) => {
      const approvers = named(users()[who]);
      for (const enabled of [true, false]) {
        const policy = { name: 'Two', actions: ['alert_rule.*'], approvers, enabled };
        expect(await org.ada.post(POLICIES, policy)).toMatchObject(refusal);
      }
      const id = await addPolicy(org.ada, { actions: ['alert_rule.*'], enabled: false });
      expect(await org.ada.patch(`${POLICIES}/${id}`, { approvers })).toMatchObject(refusal);
    },
  );

  it('stay when one of them leaves, until the approvers are changed', async () => {
    const leaving = await management.withSession(org.organization, 'security_admin');
    const approvers = named(leaving.userId);
    const { status, body } = await org.ada.post(POLICIES, {
      name: 'Three',
      actions: ['alert_rule.*'],
      approvers,
    });
    expect(status).toBe(201);
    expect((await org.ada.delete(`/api/v1/members/${leaving.memberId}`)).status).toBe(204);
    const renamed = await org.ada.patch(`${POLICIES}/${body.id as string}`, { name: 'Four' });
    expect(renamed.body.error.code).toBe('approval_required');
  });
});
