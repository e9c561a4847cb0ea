import { openTestDatabase } from '@svc/database/testing';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { eventually } from '@svc/testing';
import { rolloutTasks } from './policy.tasks';

it('a rollout whose end has come is completed by the task, and counted by its state', async () => {
  const { database, close } = await openTestDatabase();
  const { prisma } = database;
  await prisma.organization.create({ data: { id: 'org_1', name: 'Acme' } });
  const common = { organizationId: 'org_1', model: 'acme/small', target: {}, shareBps: 500, minCalls: 50 };
  await prisma.rollout.createMany({
    data: ['over', 'goes on'].map((name) => ({
      ...{ ...common, id: `rol_${name}`, name, subject: 'end_user' },
      endsAt: new Date(Date.now() + (name === 'over' ? -1_000 : 3_600_000)),
    })),
  });
  const metrics = createMetrics('worker');
  const logger = createLogger({ service: 'worker', level: 'silent' });
  const [task] = rolloutTasks({ database, logger, metrics });
  const counted = async (state: string) =>
    Number(
      new RegExp(`^svc_rollouts\\{.*state="${state}".*\\} (\\d+)`, 'm').exec(await metrics.metrics())?.[1],
    );
  expect([await counted('running'), await counted('completed'), await counted('removed')]).toEqual([2, 0, 0]);
  expect(await task!.isDue()).toBe(true);
  while ((await task!.run()).more);
  // All tasks of a process share one look, which is kept for a moment.
  await eventually(async () => expect(await task!.isDue()).toBe(false));
  expect([await counted('running'), await counted('completed')]).toEqual([1, 1]);
  await close();
});
