import { formatId, ID_ENTROPY_BYTES, type IdKind } from '@svc/kernel';
import { DeliveryWorld } from '../../testing/delivery-world';
import { DeliveryRetention } from './delivery-retention';

const DAY_MS = 24 * 3_600_000;

let world: DeliveryWorld;
let retention: DeliveryRetention;
beforeEach(async () => {
  world = await DeliveryWorld.open();
  retention = new DeliveryRetention(world.test.database);
});
afterEach(() => world.close());

const dueFor = (endpointId: string, age: string) =>
  world.sql('UPDATE webhook_deliveries SET next_attempt_at = now() - $2::interval WHERE endpoint_id = $1', [
    endpointId,
    age,
  ]);
const statuses = async (endpointId: string) => {
  const deliveries = await world.deliveries();
  return deliveries.filter(({ endpoint_id }) => endpoint_id === endpointId).map(({ status }) => status);
};

describe('a delivery that waits', () => {
  it.each(['paused', 'disabled'] as const)(
    'for a %s endpoint is dead after 30 days, and not before',
    async (state) => {
      const [long, short] = [await world.addEndpoint(state), await world.addEndpoint(state)];
      await world.add([long, short], 3);
      await dueFor(long, '30 days 1 minute');
      await dueFor(short, '29 days 23 hours');
      expect(await retention.expireWaiting(2)).toBe(2);
      expect(await retention.expireWaiting(2)).toBe(1);
      expect(await retention.expireWaiting(2)).toBe(0);
      expect(await statuses(long)).toEqual(['dead', 'dead', 'dead']);
      expect(await statuses(short)).toEqual(['queued', 'queued', 'queued']);
    },
  );

  it('for an enabled endpoint waits for as long as it takes', async () => {
    const id = await world.addEndpoint();
    await world.add([id]);
    await dueFor(id, '60 days');
    expect(await retention.expireWaiting(10)).toBe(0);
  });

  it('28: for a deleted endpoint is dead at once', async () => {
    const id = await world.addEndpoint();
    await world.add([id], 2);
    await world.sql('UPDATE webhook_endpoints SET deleted_at = now()');
    expect(await retention.expireWaiting(10)).toBe(2);
    expect(await statuses(id)).toEqual(['dead', 'dead']);
  });

  it('28: and is in flight ends as its attempt does', async () => {
    await world.add([await world.addEndpoint()]);
    await world.schedule().claimDeliveries(1);
    await world.sql('UPDATE webhook_endpoints SET deleted_at = now()');
    expect(await retention.expireWaiting(10)).toBe(0);
  });
});

describe('history', () => {
  const idAged = <K extends IdKind>(kind: K, days: number, place: number) =>
    formatId(kind, Date.now() - days * DAY_MS, new Uint8Array(ID_ENTROPY_BYTES).fill(place));
  const addAged = async (endpointId: string, days: number, place: number, status: string) => {
    const [eventId, deliveryId] = [idAged('event', days, place), idAged('webhookDelivery', days, place)];
    await world.intake.record({ ...world.newEvent(), id: eventId }, [endpointId]);
    await world.sql(
      `UPDATE webhook_deliveries SET id = $1, status = $3,
         next_attempt_at = CASE WHEN $3 = 'queued' THEN now() END WHERE event_id = $2`,
      [deliveryId, eventId, status],
    );
    for (const [table, id] of [
      ['webhook_deliveries', deliveryId],
      ['webhook_events', eventId],
    ]) {
      await world.sql(`UPDATE ${table!} SET created_at = now() - $2 * interval '1 day' WHERE id = $1`, [
        id,
        days,
      ]);
    }
    await world.sql(
      `INSERT INTO webhook_delivery_attempts (delivery_id, round, attempt, started_at) VALUES ($1, 1, 1, now())`,
      [deliveryId],
    );
  };

  it('is forgotten when it is old and has ended, with its attempts and, last, its events', async () => {
    const id = await world.addEndpoint();
    await addAged(id, 91, 1, 'succeeded');
    await addAged(id, 91, 2, 'dead');
    await addAged(id, 91, 3, 'queued');
    await addAged(id, 89, 4, 'succeeded');
    expect(await retention.deleteUndelivered(90 * DAY_MS, 10)).toBe(0);
    expect(await retention.deleteEnded(90 * DAY_MS, 1)).toBe(1);
    expect(await retention.deleteEnded(90 * DAY_MS, 10)).toBe(1);
    expect(await retention.deleteUndelivered(90 * DAY_MS, 10)).toBe(2);
    expect((await world.deliveries()).map(({ status }) => status)).toEqual(['queued', 'succeeded']);
    expect(await world.sql('SELECT FROM webhook_delivery_attempts')).toHaveLength(2);
    expect(await world.sql('SELECT FROM webhook_events')).toHaveLength(2);
  });

  it('that is young is kept, though whoever made its ids had a clock that was months behind', async () => {
    await addAged(await world.addEndpoint(), 91, 1, 'succeeded');
    await world.sql('UPDATE webhook_deliveries SET created_at = now()');
    await world.sql('UPDATE webhook_events SET created_at = now()');
    expect(await retention.deleteEnded(90 * DAY_MS, 10)).toBe(0);
    await world.sql('DELETE FROM webhook_deliveries');
    expect(await retention.deleteUndelivered(90 * DAY_MS, 10)).toBe(0);
  });
});
