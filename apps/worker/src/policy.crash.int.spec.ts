import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { RolloutJudgement } from '@svc/policy/store';
import { BuiltProgram } from '@svc/testing';
import { judgeRollouts } from './policy.tasks';
import { type CrashOptions, type CrashPoint } from './testing/crashing-judgement';

const ROLLOUTS = 5;

let program: BuiltProgram<CrashOptions>;
let test: TestDatabase;
beforeAll(() => {
  program = new BuiltProgram('apps/worker/src/testing/crashing-judgement.ts');
});
afterAll(() => program.close());
beforeEach(async () => {
  test = await openTestDatabase();
  const { prisma } = test.database;
  const organizationId = 'org_1';
  await prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
  const past = new Date(Date.now() - 60_000);
  await prisma.rollout.createMany({
    data: Array.from({ length: ROLLOUTS }, (_, at) => ({
      ...{ id: `rol_${String(at)}`, organizationId, name: String(at), model: 'acme/small', target: {} },
      ...{ shareBps: 500, subject: 'end_user', minCalls: 50, endsAt: past },
    })),
  });
});
afterEach(() => test.close());

async function judgeAll(): Promise<void> {
  const judgement = new RolloutJudgement(test.database);
  while ((await judgeRollouts(judgement)).more);
}

describe('a worker that is killed', () => {
  it.each<CrashPoint>(['after the claim', 'after the verdict', 'while it ends one', 'after ending one'])(
    '%s leaves no rollout running and tells of none twice, once its lease has lapsed',
    async (crashPoint) => {
      expect(await program.run({ databaseUrl: test.url, crashPoint })).toBe('SIGKILL');
      await judgeAll();
      const { prisma, pool } = test.database;
      expect(await prisma.rollout.count({ where: { state: 'running' } })).toBeGreaterThan(0);
      await pool.query(
        `UPDATE rollouts SET lease_until = now() - interval '1 s' WHERE lease_until IS NOT NULL`,
      );
      await Promise.all([judgeAll(), judgeAll()]);
      expect(await prisma.rollout.count({ where: { state: 'completed', leaseUntil: null } })).toBe(ROLLOUTS);
      expect(await prisma.outboxEvent.count({ where: { type: 'rollout.completed' } })).toBe(ROLLOUTS);
      expect(await prisma.auditEntry.count({ where: { action: 'rollout.complete' } })).toBe(ROLLOUTS);
    },
  );
});
