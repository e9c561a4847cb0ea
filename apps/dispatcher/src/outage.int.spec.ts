import { type Database, openDatabase } from '@svc/database';
import { eventually } from '@svc/testing';
import { DatabaseProxy } from './testing/database-proxy';
import { DispatcherWorld } from './testing/dispatcher-world';
import { status } from './testing/receiver';

let world: DispatcherWorld;
let proxy: DatabaseProxy;
let database: Database;
beforeEach(async () => {
  world = await DispatcherWorld.open();
  proxy = await DatabaseProxy.start(world.test.url);
  database = openDatabase({ url: proxy.url, poolSize: 5 });
});
afterEach(async () => {
  await world.close();
  await database.close();
  await proxy.stop();
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('24: while the database is unreachable', () => {
  it('an attempt in flight is settled when the database is back, with its real outcome, though its lease has lapsed', async () => {
    const id = await world.addEndpoint();
    world.receiver.answer(`/${id}`, (response) => {
      proxy.cut();
      response.writeHead(204).end();
    });
    await world.deliver();
    const { lines } = world.start({ database, leaseMs: 500, findLostEveryMs: 50 });
    await eventually(() => {
      expect(world.receiver.received).toHaveLength(1);
    });
    await eventually(async () => {
      const lapsed = 'SELECT FROM webhook_deliveries WHERE lease_until < clock_timestamp()';
      expect(await world.sql(lapsed)).toHaveLength(1);
    });
    proxy.restore();
    expect(await world.settled()).toMatchObject([{ status: 'succeeded', attempt_count: 1 }]);
    expect(await world.attempts()).toMatchObject([{ status_code: 204, error: null }]);
    expect(world.receiver.received).toHaveLength(1);
    expect(lines.some(({ level }) => level === 'warn')).toBe(true);
  });

  it('nothing is lost, nothing is early, and everything is sent afterwards', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => world.addEndpoint()));
    const failing = ids[0]!;
    world.receiver.answer(`/${failing}`, status(500));
    const dispatcher = world.start({ database, retryDelaysSeconds: [0.5, 0.5, 0.5, 0.5, 0.5] });
    const unpublished: ReturnType<typeof world.newEvent>[] = [];
    const publish = async (event: ReturnType<typeof world.newEvent>) => {
      await dispatcher.publish([event]).catch(() => unpublished.push(event));
    };
    for (let at = 0; at < 30; at++) {
      if (at === 10) proxy.cut();
      if (at === 20) proxy.restore();
      await publish(world.newEvent());
      await pause(50);
    }
    expect(unpublished.length).toBeGreaterThan(0);
    for (const event of unpublished.splice(0)) await dispatcher.publish([event]);
    await eventually(async () => {
      const deliveries = await world.deliveries();
      expect(deliveries).toHaveLength(300);
      const waiting = deliveries.filter(
        ({ endpoint_id, status: now }) => endpoint_id !== failing && now !== 'succeeded',
      );
      expect(waiting).toEqual([]);
    }, 45_000);
    for (const id of ids.slice(1)) {
      const received = world.receiver.at(`/${id}`);
      expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(30);
    }
    const byDelivery = Map.groupBy(
      world.receiver.at(`/${failing}`),
      ({ headers }) => headers['idempotency-key'],
    );
    for (const sent of byDelivery.values()) {
      sent.slice(1).forEach(({ atMs }, at) => {
        expect(atMs - sent[at]!.atMs).toBeGreaterThanOrEqual(500);
      });
    }
  });
});
