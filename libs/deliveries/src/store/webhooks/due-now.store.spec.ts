import { UnitOfWork } from '@svc/database';
import { recordEvent } from '@svc/events';
import { systemIds } from '@svc/runtime';
import { DeliveryWorld } from '../../testing/delivery-world';
import { queueIntegrationDeliveries } from '../integrations/integration-delivery-store';
import { WebhookDeliveryStore } from './delivery-store';

/** Rounding shows in every second one. */
const TIMES = 20;

let world: DeliveryWorld;
let endpointId: string;
beforeEach(async () => {
  world = await DeliveryWorld.open();
  endpointId = await world.addEndpoint();
  // The time of the statement that made a delivery, to the microsecond.
  for (const table of ['webhook_deliveries', 'integration_deliveries']) {
    await world.sql(
      `ALTER TABLE ${table} ALTER created_at TYPE timestamptz(6), ALTER updated_at TYPE timestamptz(6)`,
    );
  }
});
afterEach(() => world.close());

const inTransaction: UnitOfWork['transaction'] = (work) =>
  new UnitOfWork(world.test.database).transaction(work);

/** How many of a table's deliveries were not due yet when they were made due, of how many. */
async function dueLater(
  table: string,
  since: 'created_at' | 'updated_at',
): Promise<readonly [number, number]> {
  const [counted] = await world.sql<{ later: number; all: number }>(
    `SELECT count(*) FILTER (WHERE next_attempt_at > ${since})::int AS later, count(*)::int AS all FROM ${table}`,
  );
  return [counted!.later, counted!.all];
}

describe('a delivery that is due at once is due from the statement on', () => {
  it('that records its event', async () => {
    await world.add([endpointId], TIMES);
    expect(await dueLater('webhook_deliveries', 'created_at')).toEqual([0, TIMES]);
  });

  it('that queues a test', async () => {
    const store = new WebhookDeliveryStore(world.test.database);
    for (let made = 0; made < TIMES; made++) {
      const event = recordEvent(systemIds('event'), 'webhook.test', world.organizationId, Date.now(), {
        endpoint_id: endpointId,
      });
      await inTransaction((tx) => store.queueTest(tx, systemIds('webhookDelivery'), endpointId, event));
    }
    expect(await dueLater('webhook_deliveries', 'created_at')).toEqual([0, TIMES]);
  });

  it('that retries many by hand', async () => {
    const store = new WebhookDeliveryStore(world.test.database);
    await world.add([endpointId]);
    let notYet = 0;
    for (let round = 0; round < TIMES; round++) {
      await world.sql(`UPDATE webhook_deliveries SET status = 'dead', next_attempt_at = NULL`);
      await inTransaction((tx) => store.requeueMany(tx, endpointId, { status: 'dead' }));
      notYet += (await dueLater('webhook_deliveries', 'updated_at'))[0];
    }
    expect(notYet).toBe(0);
  });

  it('that queues a message to an integration', async () => {
    const integrationId = systemIds('integration');
    const { organizationId } = world;
    await world.sql(
      `INSERT INTO integrations (id, organization_id, kind, name, config, event_types)
       VALUES ($1, $2, 'slack', 'On call', '{}', '{}')`,
      [integrationId, organizationId],
    );
    for (let made = 0; made < TIMES; made++) {
      const [id, eventId] = [systemIds('webhookDelivery'), systemIds('event')];
      const message = { id, organizationId, integrationId, eventId, eventType: 'policy.updated', body: '{}' };
      await inTransaction((tx) => queueIntegrationDeliveries(tx, [{ ...message, alertId: null }]));
    }
    expect(await dueLater('integration_deliveries', 'created_at')).toEqual([0, TIMES]);
  });
});
