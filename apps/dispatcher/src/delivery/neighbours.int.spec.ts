import { type ServerResponse } from 'node:http';
import { eventually } from '@svc/testing';
import { DispatcherWorld } from '../testing/dispatcher-world';
import { type Answer, status } from '../testing/receiver';

/** A time-out that cannot be what ended a wait. */
const NEVER_MS = 2 ** 30;

let world: DispatcherWorld;
beforeEach(async () => {
  world = await DispatcherWorld.open();
});
afterEach(() => world.close());

const endpoints = (count: number) => Promise.all(Array.from({ length: count }, () => world.addEndpoint()));
const deliverMany = async (count: number, ...endpointIds: readonly string[]) => {
  for (let made = 0; made < count; made++) await world.deliver(world.newEvent(), ...endpointIds);
};

/** Lets an endpoint hang until it is told to go on. */
const hang = (id: string): (() => void) => {
  const held: ServerResponse[] = [];
  world.receiver.answer(`/${id}`, (response) => void held.push(response));
  return () => {
    world.receiver.answer(`/${id}`, status(204));
    for (const response of held) response.destroy();
  };
};

/** Answers late, and counts its open requests. */
class Slowness {
  inHand = 0;
  inHandMax = 0;

  constructor(private readonly delayMs: number) {}

  readonly answer: Answer = (response) => {
    this.inHandMax = Math.max(this.inHandMax, ++this.inHand);
    setTimeout(() => {
      this.inHand--;
      response.writeHead(204).end();
    }, this.delayMs);
  };
}

describe('one endpoint', () => {
  it('35: that hangs with a backlog delays none of its neighbours', async () => {
    const hanging = await world.addEndpoint();
    const letGo = hang(hanging);
    await deliverMany(200, hanging);
    const others = await endpoints(30);
    const { publish } = world.start({ timeoutMs: NEVER_MS, attemptsMax: 40 });
    await eventually(() => {
      expect(world.receiver.at(`/${hanging}`).length).toBeGreaterThan(0);
    });
    for (let rounds = 0; rounds < 3; rounds++) await publish([world.newEvent()]);
    await eventually(() => {
      for (const id of others) expect(world.receiver.at(`/${id}`)).toHaveLength(3);
    });
    letGo();
  });

  it('has 8 attempts in flight at most, over all dispatchers, and gets them when it keeps up', async () => {
    const id = await world.addEndpoint();
    const slow = new Slowness(100);
    world.receiver.answer(`/${id}`, slow.answer);
    await deliverMany(100, id);
    for (let dispatchers = 0; dispatchers < 3; dispatchers++) world.start({ timeoutMs: NEVER_MS });
    await world.settled();
    expect(slow.inHandMax).toBe(8);
    expect(world.receiver.at(`/${id}`)).toHaveLength(100);
  });

  it('35: that always hangs never holds more than one slot', async () => {
    const id = await world.addEndpoint();
    await deliverMany(20, id);
    let inHand = 0;
    let inHandMax = 0;
    world.receiver.answer(`/${id}`, (response) => {
      inHandMax = Math.max(inHandMax, ++inHand);
      response.on('close', () => void inHand--);
    });
    world.start({ timeoutMs: 150 });
    await eventually(() => {
      expect(world.receiver.at(`/${id}`).length).toBeGreaterThan(4);
    });
    expect(inHandMax).toBe(1);
  });
});

describe('many endpoints', () => {
  it('34: all receive one event, once each', async () => {
    const ids = await endpoints(400);
    const { publish } = world.start({ timeoutMs: NEVER_MS });
    await publish([world.newEvent()]);
    await world.settled(30_000);
    expect(world.receiver.received.map(({ path }) => path.slice(1)).sort()).toEqual(ids.sort());
  });

  it('36: with many deliveries due at once get all of them, within the attempt limit of the process', async () => {
    const ids = await endpoints(40);
    const slow = new Slowness(20);
    world.receiver.answer('*', slow.answer);
    await deliverMany(10, ...ids);
    await world.sql(`UPDATE webhook_deliveries SET next_attempt_at = now() + interval '500 ms'`);
    world.start({ timeoutMs: NEVER_MS, attemptsMax: 25 });
    await world.settled(30_000);
    expect(world.receiver.received).toHaveLength(400);
    expect(slow.inHandMax).toBeLessThanOrEqual(25);
  });

  it('27: are not delayed by a paused one, whatever its backlog; enabled again, it gets its backlog oldest first', async () => {
    const [paused, other] = [await world.addEndpoint({ state: 'paused' }), await world.addEndpoint()];
    const events = [];
    for (let made = 0; made < 60; made++) events.push((await world.deliver(world.newEvent(), paused)).id);
    const { publish } = world.start();
    await publish([world.newEvent()]);
    await eventually(() => {
      expect(world.receiver.at(`/${other}`)).toHaveLength(1);
    });
    expect(world.receiver.at(`/${paused}`)).toEqual([]);
    const slow = new Slowness(30);
    world.receiver.answer(`/${paused}`, slow.answer);
    await world.sql(`UPDATE webhook_endpoints SET state = 'active', enabled = true WHERE id = $1`, [paused]);
    await eventually(() => {
      expect(world.receiver.at(`/${paused}`).length).toBeGreaterThanOrEqual(4);
    });
    const first = world.receiver
      .at(`/${paused}`)
      .slice(0, 4)
      .map(({ headers }) => String(headers['svc-event-id']));
    expect(first[0]).toBe(events[0]);
    expect(events.slice(0, 12)).toEqual(expect.arrayContaining(first));
    await world.settled();
    expect(world.receiver.at(`/${paused}`)).toHaveLength(61);
    expect(slow.inHandMax).toBeLessThanOrEqual(8);
  });
});

describe('29: an endpoint with many attempts in flight', () => {
  it('is disabled once by its failures, and the other deliveries wait', async () => {
    const id = await world.addEndpoint({ consecutiveFailures: 18 });
    await world.sql('INSERT INTO webhook_lanes (endpoint_id, slots) VALUES ($1, 8)', [id]);
    world.receiver.answer(`/${id}`, (response) => setTimeout(() => response.writeHead(500).end(), 100));
    await deliverMany(50, id);
    world.start({ retryDelaysSeconds: [60, 60, 60, 60, 60] });
    await eventually(async () => {
      expect(await world.endpoint(id)).toMatchObject({ state: 'disabled', enabled: false });
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(
      await world.sql(`SELECT FROM outbox_events WHERE type = 'webhook.endpoint_disabled'`),
    ).toHaveLength(1);
    const sent = world.receiver.at(`/${id}`).length;
    expect(sent).toBeLessThan(20);
    expect((await world.deliveries()).filter((delivery) => delivery.attempt_count === 0)).toHaveLength(
      50 - sent,
    );
  });

  it('24: is sent nothing twice when its dispatcher stops, and the rest by the next dispatcher', async () => {
    const id = await world.addEndpoint();
    world.receiver.answer('*', status(204));
    await deliverMany(40, id);
    const first = world.start();
    await eventually(() => {
      expect(world.receiver.received.length).toBeGreaterThan(3);
    });
    await first.stop();
    expect((await world.deliveries()).filter(({ lease_id }) => lease_id !== null)).toEqual([]);
    world.start();
    await world.settled();
    expect(world.receiver.received).toHaveLength(40);
  });
});
