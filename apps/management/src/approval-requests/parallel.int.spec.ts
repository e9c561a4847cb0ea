import { startManagement, type Answered, type ManagementUnderTest } from '../testing/management-under-test';
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
let id: string;
beforeAll(async () => {
  management = await startManagement();
});
afterAll(() => management.close());
beforeEach(async () => {
  org = await newGatedOrganization(management);
  await addPolicy(org.ada, {
    actions: ['project.*'],
    approvers: { roles: ['security_admin', 'finance'] },
    required_approvals: 2,
  });
  id = waitingIn(await org.dev.post('/api/v1/projects', { name: 'Alpha' }));
});

type Call = () => Promise<Answered>;

/** A hundred calls at once, of these in turn. One that finds no free connection is made again, as its answer asks. */
const hundredOf = (calls: readonly Call[]): Promise<Answered[]> =>
  Promise.all(
    Array.from({ length: 100 }, async (_, at) => {
      const call = calls[at % calls.length]!;
      let answer = await call();
      for (let again = 0; answer.status === 503 && again < 20; again++) answer = await call();
      return answer;
    }),
  );

/** The traces of the request in the database. */
async function traces() {
  const { prisma } = management.database;
  const organizationId = org.organization.id;
  const told = await prisma.outboxEvent.findMany({ where: { organizationId, type: 'approval.decided' } });
  const entries = (action: string) => prisma.auditEntry.count({ where: { organizationId, action } });
  return {
    decided: told.map(({ payload }) => (JSON.parse(payload) as { data: { decision: string } }).data.decision),
    approvals: await entries('approval_request.approve'),
    cancelled: await entries('approval_request.cancel'),
    executed: await entries('approval_request.execute'),
    projects: await prisma.project.count({ where: { organizationId, name: 'Alpha' } }),
  };
}

const statuses = (answers: readonly Answered[]) => [...new Set(answers.map(({ status }) => status))].sort();

it('a hundred approvals at once, of three people, count two people, decide once and execute once', async () => {
  const again = await management.anotherSession(org.ada.userId);
  const people = [org.ada, org.bob, org.eve, again];
  const answers = await hundredOf(people.map((person) => () => approve(person, id)));
  expect(statuses(answers)).toEqual([200, 409]);
  const { policies, decisions, state } = await ended(org.ada, id);
  expect(state).toBe('executed');
  expect(policies).toMatchObject([{ approval_count: 2 }]);
  expect(new Set((decisions as { user_id: string }[]).map(({ user_id }) => user_id)).size).toBe(2);
  expect(decisions).toHaveLength(2);
  expect(await traces()).toEqual({
    decided: ['approved'],
    approvals: 2,
    cancelled: 0,
    executed: 1,
    projects: 1,
  });
});

it('a hundred decisions at once, of every kind, have one outcome', async () => {
  const reject: Call = () => org.bob.post(`${requestAt(id)}/reject`, {});
  const cancel: Call = () => org.dev.post(`${requestAt(id)}/cancel`);
  const approvals = [org.ada, org.bob, org.eve].map((person) => () => approve(person, id));
  const answers = await hundredOf([...approvals, reject, ...approvals, cancel]);
  expect(statuses(answers).filter((status) => status !== 200)).toEqual([409]);
  const { state } = await ended(org.ada, id);
  const outcome = state === 'executed' ? 'approved' : (state as string);
  expect(['approved', 'rejected', 'cancelled']).toContain(outcome);
  const isExecuted = outcome === 'approved' ? 1 : 0;
  expect(await traces()).toMatchObject({
    decided: [outcome],
    cancelled: outcome === 'cancelled' ? 1 : 0,
    executed: isExecuted,
    projects: isExecuted,
  });
});
