import { systemIds } from '@svc/runtime';
import { DeliveryWorld } from '../../testing/delivery-world';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await DeliveryWorld.open();
});
afterEach(() => world.close());

describe('an event', () => {
  it('becomes one delivery an endpoint, due at once, with its bytes as they are', async () => {
    const ids = [await world.addEndpoint(), await world.addEndpoint('paused')];
    const event = { ...world.newEvent(), payload: '{"a":"é😀\u2028\\u0000","n":1.0}' };
    expect(await world.intake.record(event, ids)).toBe(2);
    const deliveries = await world.deliveries();
    expect(deliveries.map(({ endpoint_id }) => endpoint_id).sort()).toEqual(ids.sort());
    for (const delivery of deliveries) {
      expect(delivery).toMatchObject({ event_id: event.id, status: 'queued', round: 1, attempt_count: 0 });
    }
    expect(await world.sql('SELECT payload FROM webhook_events')).toEqual([{ payload: event.payload }]);
  });

  it('23: that comes again, or twice at once, makes no delivery again', async () => {
    const ids = [await world.addEndpoint(), await world.addEndpoint()];
    const event = world.newEvent();
    const made = await Promise.all(Array.from({ length: 5 }, () => world.intake.record(event, ids)));
    expect(made.sort()).toEqual([0, 0, 0, 0, 2]);
    expect(await world.deliveries()).toHaveLength(2);
  });

  it('23: that comes again for more endpoints makes those that are missing', async () => {
    const [first, second] = [await world.addEndpoint(), await world.addEndpoint()];
    const event = world.newEvent();
    await world.intake.record(event, [first]);
    expect(await world.intake.record(event, [first, second])).toBe(1);
  });

  it('for nobody leaves nothing behind', async () => {
    expect(await world.intake.record(world.newEvent(), [])).toBe(0);
    expect(await world.sql('SELECT FROM webhook_events')).toEqual([]);
  });

  it('finds the endpoints of its organization that are not deleted, paused ones too', async () => {
    const [active, paused, deleted] = [
      await world.addEndpoint(),
      await world.addEndpoint('paused'),
      await world.addEndpoint(),
    ];
    await world.sql('UPDATE webhook_endpoints SET deleted_at = now() WHERE id = $1', [deleted]);
    await world.sql(`UPDATE webhook_endpoints SET event_types = '{credential.*}' WHERE id = $1`, [paused]);
    const { organizationId } = world;
    expect(await world.intake.endpointsOf(organizationId)).toEqual(
      [
        { id: active, organizationId, eventTypes: [] },
        { id: paused, organizationId, eventTypes: ['credential.*'] },
      ].sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
    expect(await world.intake.endpointsOf(systemIds('organization'))).toEqual([]);
  });
});
