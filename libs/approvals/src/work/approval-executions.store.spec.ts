import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { createLogger } from '@svc/runtime/observability';
import { BuiltProgram } from '@svc/testing';
import { approvedChange, makeApproved, ROUTE, sealer } from '../testing/approved-change';
import { type CrashOptions, type CrashPoint } from '../testing/crashing-execution';
import { ApprovalExecutions } from './approval-executions';

let program: BuiltProgram<CrashOptions>;
let test: TestDatabase;
let asked: Awaited<ReturnType<typeof approvedChange>>;
beforeAll(() => {
  program = new BuiltProgram('libs/approvals/src/testing/crashing-execution.ts');
});
afterAll(() => program.close());
beforeEach(async () => {
  test = await openTestDatabase();
  asked = await approvedChange(test.database);
});
afterEach(() => test.close());

const logger = createLogger({ service: 'approvals-spec', level: 'silent' });
const queueWith = (leaseMs?: number) =>
  new ApprovalExecutions({
    database: test.database,
    sealer,
    logger,
    ...(leaseMs === undefined ? {} : { leaseMs }),
  });
const isDue = () =>
  test.database.pool.query(
    `UPDATE approval_requests SET due_at = now(), lease_until = NULL WHERE state = 'approved'`,
  );

/** Counts of the traces of the change: each once, or not at all. */
async function traces() {
  const { prisma } = test.database;
  const { organizationId, id } = asked;
  const request = await prisma.approvalRequest.findUniqueOrThrow({ where: { id } });
  const entries = (action: string) => prisma.auditEntry.count({ where: { organizationId, action } });
  return {
    state: request.state,
    projects: await prisma.project.count({ where: { organizationId } }),
    changed: await entries('project.create'),
    executed: await entries('approval_request.execute'),
  };
}
const ONCE = { state: 'executed', projects: 1, changed: 1, executed: 1 };
const NOT_YET = { state: 'approved', projects: 0, changed: 0, executed: 0 };

describe('an approved change is made once', () => {
  it.each<CrashPoint>(['after the claim', 'inside the transaction', 'after the commit'])(
    'by a process that is killed %s, and the one after it',
    async (crashPoint) => {
      expect(await program.run({ databaseUrl: test.url, crashPoint })).toBe('SIGKILL');
      expect(await traces()).toEqual(crashPoint === 'after the commit' ? ONCE : NOT_YET);
      expect(await queueWith().claim([ROUTE])).toBeNull();
      await isDue();
      await makeApproved(test.database, queueWith());
      expect(await traces()).toEqual(ONCE);
    },
  );

  it('by a hundred at once, though no lease holds', async () => {
    const queue = queueWith(0);
    await Promise.all(
      Array.from({ length: 100 }, () => makeApproved(test.database, queue).catch(() => null)),
    );
    await isDue();
    await makeApproved(test.database, queueWith());
    expect(await traces()).toEqual(ONCE);
  });

  it('and not by a claim that another has taken over', async () => {
    const queue = queueWith(0);
    const older = await queue.claim([ROUTE]);
    await queue.claim([ROUTE]);
    let isMade = false;
    await queue.execute(older!, () => {
      isMade = true;
      return Promise.resolve({ status: 201, body: {}, hasSecret: false });
    });
    expect(isMade).toBe(false);
    expect(await traces()).toEqual(NOT_YET);
  });

  it('after trouble has passed, which leaves nothing behind', async () => {
    await makeApproved(test.database, queueWith(), () => {
      throw new Error('The connection is gone');
    });
    expect(await traces()).toEqual(NOT_YET);
    await isDue();
    await makeApproved(test.database, queueWith());
    expect(await traces()).toEqual(ONCE);
  });

  it('by the processes only that serve its route', async () => {
    expect(await queueWith().claim(['POST /api/v1/keys'])).toBeNull();
  });
});
