import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AlertEvaluation } from '@svc/alerts/store';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemIds } from '@svc/runtime';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { buildProjects } from '@svc/testing';
import { AlertMetrics } from './alert-metrics';
import { evaluateAlerts } from './evaluate-alerts';
import { type CrashOptions, type CrashPoint } from './testing/crashing-evaluation';

const folder = mkdtempSync(join(tmpdir(), 'svc-worker-'));
const organizationId = systemIds('organization');
const RULES = 5;

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
  const userId = systemIds('user');
  await prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
  await prisma.user.create({ data: { id: userId, email: 'ada@example.com' } });
  await prisma.member.create({
    data: { id: systemIds('member'), organizationId, userId, role: 'owner' },
  });
  await prisma.alertRule.createMany({
    data: Array.from({ length: RULES }, () => ({
      id: systemIds('alertRule'),
      organizationId,
      name: 'No calls are enough',
      metric: 'request_count',
      threshold: 0n,
      windowSeconds: 300,
      minRequests: 20,
      forSeconds: 0,
      keepFiringSeconds: 300,
      severity: 'warning',
      notifyRoles: ['owner'],
      notifyMemberIds: [],
      notifyIntegrationIds: [],
      enabled: true,
    })),
  });
});
afterEach(() => test.close());

async function crashAt(crashPoint: CrashPoint): Promise<void> {
  const options: CrashOptions = { databaseUrl: test.url, crashPoint };
  const program = join(folder, 'apps/worker/src/alerts/testing/crashing-evaluation.js');
  const child = spawn(process.execPath, ['-r', 'reflect-metadata', program, JSON.stringify(options)], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
}

async function evaluateAll(): Promise<void> {
  const logger = createLogger({ service: 'worker-spec', level: 'silent' });
  const metrics = new AlertMetrics(createMetrics('worker-spec'), logger);
  const evaluation = new AlertEvaluation(test.database);
  while (
    (await evaluateAlerts({ evaluation, metrics, logger, tickSeconds: 3_600, endpoints: () => [] })).more
  );
}

describe('a worker that is killed', () => {
  it.each<CrashPoint>(['after the claim', 'after observing', 'while it records', 'after recording'])(
    '%s loses no alert and tells none twice, once its lease has lapsed',
    async (crashPoint) => {
      await crashAt(crashPoint);
      await evaluateAll();
      const { fence } = await test.database.prisma.alertTick.findUniqueOrThrow({
        where: { metric: 'request_count' },
      });
      expect(fence).toBe(1n);

      await test.database.pool.query(
        `UPDATE alert_ticks SET lease_until = now() - interval '1 s' WHERE metric = 'request_count'`,
      );
      await evaluateAll();
      const { prisma } = test.database;
      expect(await prisma.alert.count({ where: { state: 'firing' } })).toBe(RULES);
      expect(await prisma.alert.count()).toBe(RULES);
      expect(await prisma.outboxEvent.count({ where: { type: 'alert.fired' } })).toBe(RULES);
      expect(await prisma.mail.count()).toBe(RULES);
    },
  );
});
