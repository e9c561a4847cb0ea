import { UnitOfWork } from '@svc/database';
import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemIds } from '@svc/runtime';
import { ended, ACKNOWLEDGED } from '../../testing/delivery-world';
import { queueIntegrationDeliveries } from './integration-delivery-store';
import { integrationSchedule, integrationSettlement } from './integration-queue';

let test: TestDatabase;
beforeEach(async () => {
  test = await emptyTestDatabase();
});
afterEach(() => test.close());

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await test.database.pool.query<Record<string, unknown>>(text, [...values])).rows;

/** An integration with so many failures and messages. @returns the messages, claimed. */
async function claimed(failures: number, count: number) {
  const [organizationId, integrationId] = [systemIds('organization'), systemIds('integration')];
  await sql(`INSERT INTO organizations (id, name) VALUES ($1, 'Acme')`, [organizationId]);
  await sql(
    `INSERT INTO integrations (id, organization_id, kind, name, config, event_types, consecutive_failures)
     VALUES ($1, $2, 'slack', 'On call', '{}', '{}', $3)`,
    [integrationId, organizationId, failures],
  );
  await sql('INSERT INTO integration_lanes (integration_id, slots) VALUES ($1, 8)', [integrationId]);
  await new UnitOfWork(test.database).transaction((tx) =>
    queueIntegrationDeliveries(
      tx,
      Array.from({ length: count }, () => ({
        ...{ organizationId, integrationId, eventType: 'policy.updated', body: '{}', alertId: null },
        id: systemIds('webhookDelivery'),
        eventId: systemIds('event'),
      })),
    ),
  );
  const deliveries = await integrationSchedule(test.database).claimDeliveries(count);
  expect(deliveries).toHaveLength(count);
  return deliveries;
}

it('integrations are disabled by the 25th failure once, by however many at once, and it is told once', async () => {
  const deliveries = await claimed(20, 8);
  const settlement = integrationSettlement(test.database);
  const settled = await Promise.all(deliveries.map((delivery) => settlement.settle(ended(delivery))));
  expect(settled.filter((one) => one?.isReceiverDisabled === true)).toHaveLength(1);
  expect(await sql('SELECT state, enabled, consecutive_failures FROM integrations')).toEqual([
    { state: 'disabled', enabled: false, consecutive_failures: 28 },
  ]);
  expect(await sql('SELECT action, actor_type, target_label FROM audit_entries')).toEqual([
    { action: 'integration.disable', actor_type: 'system', target_label: 'On call' },
  ]);
});

it('a success that changes nothing else is noted at its integration, and slots are what they are for endpoints', async () => {
  const [delivery, other] = await claimed(0, 2);
  const settlement = integrationSettlement(test.database);
  await settlement.settle(ended(delivery!));
  expect(await sql('SELECT slots FROM integration_lanes')).toEqual([{ slots: 4 }]);
  expect(await sql('SELECT last_success_at FROM integrations')).toEqual([{ last_success_at: null }]);
  await sql('UPDATE integrations SET consecutive_failures = 0');
  await settlement.settle(ended(other!, ACKNOWLEDGED));
  expect(await sql('SELECT slots FROM integration_lanes')).toEqual([{ slots: 5 }]);
  expect(await sql('SELECT last_success_at FROM integrations')).toEqual([
    { last_success_at: expect.any(Date) as Date },
  ]);
});

it('what cannot succeed any more is dead, and what is to wait longer than its delay waits', async () => {
  const [final, late] = await claimed(0, 2);
  const settlement = integrationSettlement(test.database);
  expect(await settlement.settle(ended(final!, { isFinal: true }))).toMatchObject({
    status: 'dead',
    nextAttemptAt: null,
  });
  const settled = await settlement.settle(ended(late!, { retryAfterSeconds: 3_600 }));
  expect(settled!.nextAttemptAt!.getTime()).toBeGreaterThanOrEqual(Date.now() + 3_590_000);
});
