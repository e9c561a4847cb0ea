import { OutboxStore } from '@svc/database';
import { systemIds } from '@svc/runtime';
import { eventually } from '@svc/testing';
import { DispatcherWorld } from '../testing/dispatcher-world';
import { status } from '../testing/receiver';
import { type RunningDispatcher } from '../testing/start-dispatcher';

let world: DispatcherWorld;
beforeEach(async () => {
  world = await DispatcherWorld.open();
});
afterEach(() => world.close());

/** Relays all events of the outbox once, as the worker does. @returns how many. */
const relay = async ({ publish }: RunningDispatcher): Promise<number> => {
  const outbox = new OutboxStore(world.test.database);
  const events = await outbox.claimUnpublished(1_000);
  await publish(events);
  await outbox.markPublished(events.map(({ id }) => id));
  return events.length;
};

describe('an event that is published', () => {
  it('23: once, twice, or all of them again, is delivered once to each endpoint', async () => {
    const ids = [await world.addEndpoint(), await world.addEndpoint()];
    const { publish } = world.start();
    const events = Array.from({ length: 5 }, () => world.newEvent());
    await publish([events[0]!, events[0]!]);
    await Promise.all([publish(events), publish(events.toReversed())]);
    await world.settled();
    await publish(events);
    await world.settled();
    for (const id of ids) {
      const received = world.receiver.at(`/${id}`).map(({ headers }) => headers['svc-event-id']);
      expect(received.sort()).toEqual(events.map(({ id: eventId }) => eventId).sort());
    }
  });

  it('23: is not acknowledged when it cannot be stored, and is delivered once when it is redelivered', async () => {
    const id = await world.addEndpoint();
    const { publish } = world.start();
    const event = world.newEvent();
    await world.sql('ALTER TABLE webhook_deliveries RENAME TO away');
    await expect(publish([event])).rejects.toThrow();
    await world.sql('ALTER TABLE away RENAME TO webhook_deliveries');
    await publish([event]);
    await world.settled();
    expect(world.receiver.at(`/${id}`)).toHaveLength(1);
  });

  it('23: is stored with all of its batch, or none of it is: webhooks and messages to integrations alike', async () => {
    const id = await world.addEndpoint();
    const { publish } = world.start();
    const events = Array.from({ length: 50 }, () => world.newEvent());
    await world.sql('ALTER TABLE integrations RENAME TO away');
    await expect(publish(events)).rejects.toThrow();
    expect(await world.deliveries()).toEqual([]);
    await world.sql('ALTER TABLE away RENAME TO integrations');
    await publish(events);
    await world.settled();
    expect(world.receiver.at(`/${id}`)).toHaveLength(50);
  });

  it('waits in order at the endpoints of its own organization, from a batch of several organizations', async () => {
    const own = await world.addEndpoint({ state: 'paused' });
    const [strange, strangersId] = [await world.addEndpoint({ state: 'paused' }), systemIds('organization')];
    await world.sql(`INSERT INTO organizations (id, name) VALUES ($1, 'Other')`, [strangersId]);
    await world.sql('UPDATE webhook_endpoints SET organization_id = $1 WHERE id = $2', [
      strangersId,
      strange,
    ]);
    const events = Array.from({ length: 100 }, () => world.newEvent());
    const strangers = events.map(() => ({ ...world.newEvent(), organizationId: strangersId }));
    await world.start().publish(events.flatMap((event, at) => [event, strangers[at]!]));
    const waiting = (endpointId: string) =>
      world.sql(
        `SELECT event_id AS id, organization_id AS "organizationId" FROM webhook_deliveries
         WHERE endpoint_id = $1 ORDER BY next_attempt_at, ctid`,
        [endpointId],
      );
    const expected = (all: typeof events) => all.map(({ id, organizationId }) => ({ id, organizationId }));
    expect(await waiting(own)).toEqual(expected(events));
    expect(await waiting(strange)).toEqual(expected(strangers));
  });

  it('32: reaches the endpoints that subscribe at that time; never later ones, nor other organizations', async () => {
    const [subscribed, other] = [
      await world.addEndpoint({ eventTypes: ['policy.*'] }),
      await world.addEndpoint({ eventTypes: ['credential.*'] }),
    ];
    const event = world.newEvent();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const late = await world.addEndpoint();
    const { publish } = world.start();
    await publish([event, { ...world.newEvent(), organizationId: 'org_other' }]);
    await world.sql(`UPDATE webhook_endpoints SET event_types = '{alert.*}'`);
    await world.settled();
    expect([subscribed, other, late].map((id) => world.receiver.at(`/${id}`).length)).toEqual([1, 0, 0]);
  });

  it('32: of an endpoint’s own end reaches the others, and not that one', async () => {
    const [deleted, other] = [await world.addEndpoint(), await world.addEndpoint()];
    const event = world.newEvent('webhook.endpoint_deleted', {
      endpoint_id: deleted,
      url: 'https://hooks.example.com/',
      event_types: [],
      secret_last4: 'abcd',
      state: 'active',
    });
    await world.sql('UPDATE webhook_endpoints SET deleted_at = now() WHERE id = $1', [deleted]);
    const { publish } = world.start();
    await publish([event]);
    await world.settled();
    expect(world.receiver.received.map(({ path }) => path)).toEqual([`/${other}`]);
  });

  it('is delivered within moments: the intake wakes the loop before the next poll', async () => {
    await world.addEndpoint();
    // Only the wake can bring them: the next poll is days away.
    const { publish } = world.start({ pollMs: 2 ** 30 });
    for (let round = 0; round < 10; round++) {
      await publish([world.newEvent()]);
      await eventually(() => {
        expect(world.receiver.received).toHaveLength(round + 1);
      });
    }
  });

  it('27: waits for a paused endpoint, which may be sent a test meanwhile, and is sent when it is enabled again', async () => {
    const id = await world.addEndpoint({ state: 'paused' });
    const running = world.start();
    const event = world.newEvent();
    await running.publish([event]);
    const test = world.newEvent('webhook.test', { endpoint_id: id });
    await world.deliver(test, id);
    await eventually(() => {
      expect(world.receiver.received.map(({ headers }) => headers['svc-event-id'])).toEqual([test.id]);
    });
    await world.sql(`UPDATE webhook_endpoints SET state = 'active', enabled = true`);
    await world.settled();
    expect(world.receiver.received.map(({ headers }) => headers['svc-event-id'])).toEqual([
      test.id,
      event.id,
    ]);
  });
});

describe('endpoints that all fail', () => {
  it('30: are disabled one after the other, each by the event about the other, and then nothing is sent', async () => {
    const ids = await Promise.all(
      [23, 23, 24].map((consecutiveFailures) => world.addEndpoint({ consecutiveFailures })),
    );
    world.receiver.answer('*', status(500));
    const running = world.start({ retryDelaysSeconds: [0.1, 0.1, 0.1, 0.1, 0.1] });
    await running.publish([world.newEvent()]);
    await eventually(async () => {
      await relay(running);
      const endpoints = await Promise.all(ids.map((id) => world.endpoint(id)));
      expect(endpoints.map(({ state }) => state)).toEqual(['disabled', 'disabled', 'disabled']);
    });
    while ((await relay(running)) > 0);
    const events = await world.sql<{ payload: string }>('SELECT payload FROM outbox_events ORDER BY id');
    const told = events.map(
      ({ payload }) => (JSON.parse(payload) as { data: { endpoint_id: string } }).data.endpoint_id,
    );
    expect(told.sort()).toEqual(ids.sort());
    const disabledIn = (body: string) =>
      (JSON.parse(body) as { data: { endpoint_id?: string } }).data.endpoint_id;
    expect(world.receiver.received.filter(({ path, body }) => disabledIn(body) === path.slice(1))).toEqual(
      [],
    );
    const sentCount = world.receiver.received.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(world.receiver.received).toHaveLength(sentCount);
  });
});
