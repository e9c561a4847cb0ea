import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { RolloutJudgement } from '@svc/policy/store';
import { buildProjects } from '@svc/testing';
import { judgeRollouts } from './judge-rollouts';
import { type CrashOptions, type CrashPoint } from './testing/crashing-judgement';

const folder = mkdtempSync(join(tmpdir(), 'svc-worker-'));
const ROLLOUTS = 5;

let test: TestDatabase;
beforeAll(() => {
  const libs = readdirSync(join(__dirname, '../../../../libs')).map((name) => `libs/${name}`);
  buildProjects(['apps/worker', ...libs], folder);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});
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

async function crashAt(crashPoint: CrashPoint): Promise<void> {
  const options: CrashOptions = { databaseUrl: test.url, crashPoint };
  const program = join(folder, 'apps/worker/src/rollouts/testing/crashing-judgement.js');
  const child = spawn(process.execPath, ['-r', 'reflect-metadata', program, JSON.stringify(options)], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
}

async function judgeAll(): Promise<void> {
  const judgement = new RolloutJudgement(test.database);
  while ((await judgeRollouts(judgement)).more);
}

describe('a worker that is killed', () => {
  it.each<CrashPoint>(['after the claim', 'after the verdict', 'while it ends one', 'after ending one'])(
    '%s leaves no rollout running and tells of none twice, once its lease has lapsed',
    async (crashPoint) => {
      await crashAt(crashPoint);
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
