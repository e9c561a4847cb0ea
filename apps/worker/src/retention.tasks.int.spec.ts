import { openTestDatabase } from '@svc/database/testing';
import { RETENTION_RULES, retentionTasks } from './retention.tasks';

it('each rule of retention has its task; what expires goes each minute, history each hour', async () => {
  const { database, close } = await openTestDatabase();
  const tasks = retentionTasks(database);
  expect(Object.fromEntries(tasks.map(({ name, everyMs }) => [name, everyMs / 60_000]))).toEqual({
    'expired-claims': 1,
    'expired-logins': 1,
    'released-holds': 60,
    'idle-sessions': 60,
    'old-budget-periods': 60,
    'published-events': 60,
    'old-payment-events': 60,
    'old-usage-tags': 60,
    'old-end-users': 60,
    'old-refusals': 60,
    'old-call-minutes': 60,
    'old-call-hours': 60,
    'old-circuit-reports': 60,
    'old-alerts': 60,
    'old-approvals': 60,
    'old-credential-reports': 60,
  });
  await database.pool.query(
    `INSERT INTO released_holds SELECT 'req_' || i, now() - interval '8 days' FROM generate_series(1, 501) i`,
  );
  const { run } = tasks.find(({ name }) => name === 'released-holds')!;
  expect([await run(), await run()]).toEqual([{ more: true }, { more: false }]);
  expect(RETENTION_RULES.length).toBeGreaterThan(tasks.length);
  await close();
});
