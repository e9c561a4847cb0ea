import { AlertEvaluation } from '@svc/alerts/store';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemIds } from '@svc/runtime';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { BuiltProgram } from '@svc/testing';
import { AlertMetrics, evaluateAlerts } from './alerts.tasks';
import { type CrashOptions, type CrashPoint } from './testing/crashing-evaluation';

const organizationId = systemIds('organization');
const RULES = 5;

let program: BuiltProgram<CrashOptions>;
let test: TestDatabase;
beforeAll(() => {
  program = new BuiltProgram('apps/worker/src/testing/crashing-evaluation.ts');
});
afterAll(() => program.close());
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
      expect(await program.run({ databaseUrl: test.url, crashPoint })).toBe('SIGKILL');
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
