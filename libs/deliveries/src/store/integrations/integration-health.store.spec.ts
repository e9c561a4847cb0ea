import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemIds } from '@svc/runtime';
import { IntegrationHealth } from './integration-health';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

it('a receiver of telemetry is disabled by its 25th failure in a row, once, and a success clears failures', async () => {
  const { prisma, pool } = test.database;
  const [organizationId, id] = [systemIds('organization'), systemIds('integration')];
  await prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
  const data = { id, organizationId, kind: 'otlp', name: 'Traces', config: {}, eventTypes: [] };
  await prisma.integration.create({ data });
  const health = new IntegrationHealth(test.database);
  for (let at = 0; at < 10; at++) await health.noteOutcome(id, 'failed');
  expect(await prisma.integration.findUnique({ where: { id } })).toMatchObject({ state: 'failing' });
  await health.noteOutcome(id, 'acknowledged');
  expect(await prisma.integration.findUnique({ where: { id } })).toMatchObject({
    state: 'active',
    consecutiveFailures: 0,
    lastSuccessAt: expect.any(Date) as Date,
  });
  const disablings: boolean[] = [];
  for (let at = 0; at < 26; at++) disablings.push(await health.noteOutcome(id, 'failed'));
  expect(disablings.filter(Boolean)).toHaveLength(1);
  expect(disablings[24]).toBe(true);
  expect(await prisma.integration.findUnique({ where: { id } })).toMatchObject({
    state: 'disabled',
    enabled: false,
    disabledReason: 'consecutive_failures',
  });
  const { rows } = await pool.query('SELECT action FROM audit_entries WHERE target_id = $1', [id]);
  expect(rows).toEqual([{ action: 'integration.disable' }]);
});
