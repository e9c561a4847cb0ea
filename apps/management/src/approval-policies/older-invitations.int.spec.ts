import { UnitOfWork } from '@svc/database';
import { secretHash } from '@svc/access';
import { InvitationAcceptance } from '@svc/access/store';
import {
  addPolicy,
  approve,
  ended,
  newGatedOrganization,
  waitingIn,
  type GatedOrganization,
} from '../testing/gated-organization';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';
import { taken } from '../testing/taken';

const POLICIES = '/api/v1/approval-policies';
const INVITATIONS = '/api/v1/members/invitations';
const ACTIONS = ['alert_rule.*'];

describe('invitations into a role that may approve', () => {
  let management: ManagementUnderTest;
  let org: GatedOrganization;
  let owner: Client;
  beforeAll(async () => {
    management = await startManagement();
  });
  afterAll(() => management.close());
  beforeEach(async () => {
    org = await newGatedOrganization(management);
    owner = await management.anotherSession(org.organization.ownerId);
  });

  let emails = 0;
  const invite = (role: string, by: Client = owner) =>
    by.post(INVITATIONS, { email: `invitee-${String((emails += 1))}@example.com`, role });
  const invited = async (role: string): Promise<string> => (await invite(role)).body.invitation.id as string;
  const stateOf = async (id: string) => (await owner.get(`${INVITATIONS}/${id}`)).body.state as string;
  const openInto = (role: string) =>
    management.database.prisma.invitation.count({
      where: { organizationId: org.organization.id, role, state: 'pending' },
    });
  /** Changes a policy, with the approvals that it wants. */
  async function changed(id: string, change: object): Promise<void> {
    const request = waitingIn(await org.ada.patch(`${POLICIES}/${id}`, change));
    await approve(org.bob, request);
    expect(await ended(org.bob, request)).toMatchObject({ state: 'executed' });
  }

  it('end with a new policy, in the audit log; others stay', async () => {
    const [ended, other] = [await invited('security_admin'), await invited('viewer')];
    await addPolicy(org.ada, { actions: ACTIONS });

    expect([await stateOf(ended), await stateOf(other)]).toEqual(['revoked', 'pending']);
    const entries = await management.database.prisma.auditEntry.findMany({ where: { targetId: ended } });
    expect(entries.map(({ action }) => action).sort()).toEqual(['invitation.create', 'invitation.revoke']);
  });

  it('stay while the policy is disabled, and end when it is enabled', async () => {
    const id = await invited('security_admin');
    const policy = await addPolicy(org.ada, { actions: ACTIONS, enabled: false });
    expect(await stateOf(id)).toBe('pending');
    await changed(policy, { enabled: true });
    expect(await stateOf(id)).toBe('revoked');
  });

  it('end when the policy gets their role, and not when something else of it changes', async () => {
    const policy = await addPolicy(org.ada, { actions: ACTIONS });
    const id = await invited('finance');
    await changed(policy, { name: 'Another name' });
    expect(await stateOf(id)).toBe('pending');
    await changed(policy, { approvers: { roles: ['security_admin', 'finance'] } });
    expect(await stateOf(id)).toBe('revoked');
  });

  it('that were approved under the policy stay when it changes', async () => {
    const policy = await addPolicy(org.ada, { actions: ACTIONS });
    const request = waitingIn(await invite('security_admin', org.ada));
    await approve(org.bob, request);
    await ended(org.bob, request);
    expect(await openInto('security_admin')).toBe(1);
    await changed(policy, { name: 'Another name' });
    expect(await openInto('security_admin')).toBe(1);
  });

  it('a hundred at once with the first policy are all ended or wait for it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        taken(() =>
          at === 50 ? org.ada.post(POLICIES, policyOf(['security_admin'])) : invite('security_admin'),
        ),
      ),
    );

    const codes = new Set(answers.map(({ status, body }) => [status, body.error?.code ?? 'made'].join(' ')));
    expect(['201 made', '400 approval_required']).toEqual(expect.arrayContaining([...codes]));
    expect(answers[50]!.status).toBe(201);
    expect(await openInto('security_admin')).toBe(0);
  });

  it('a hundred that are accepted at once with a policy make members before it, or none', async () => {
    const acceptance = new InvitationAcceptance(management.database);
    const secrets = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const { body } = await taken(() => invite('finance'));
        const secret = new URL(body.accept_url as string).pathname.split('/').at(-1) ?? '';
        return { secret, id: body.invitation.id as string };
      }),
    );
    const accept = async (secret: string) => {
      const found = await acceptance.findInvitationBySha256(secretHash(secret));
      return new UnitOfWork(management.database)
        .transaction((tx) => acceptance.use(tx, found!, Date.now()))
        .catch(() => false);
    };
    const [policy, ...accepted] = await Promise.all([
      taken(() => org.ada.post(POLICIES, policyOf(['finance', 'security_admin']))),
      ...secrets.map(({ secret }) => accept(secret)),
    ]);

    expect(policy.status).toBe(201);
    expect(await openInto('finance')).toBe(0);
    for (const [at, { secret, id }] of secrets.entries()) {
      expect(await accept(secret)).toBe(false);
      expect(await stateOf(id)).toBe(accepted[at] === true ? 'accepted' : 'revoked');
    }
  });
});

const policyOf = (roles: readonly string[]) => ({ name: 'Two', actions: ACTIONS, approvers: { roles } });
