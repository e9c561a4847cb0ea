import { UnitOfWork } from '@svc/database';
import { retriedByHand } from '@svc/events';
import { eventually } from '@svc/testing';
import { ACKNOWLEDGED, DeliveryWorld, ended } from '../../testing/delivery-world';
import { WebhookDeliveryStore } from './delivery-store';
import { webhookSettlement } from './webhook-queue';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await DeliveryWorld.open();
});
afterEach(() => world.close());

const endpoints = (count: number) => Promise.all(Array.from({ length: count }, () => world.addEndpoint()));
const countBy = (ids: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(ids)].map((id) => [id, ids.filter((other) => other === id).length]));

describe('a claim', () => {
  it('gives what it takes to send a delivery, and counts the attempt', async () => {
    const id = await world.addEndpoint();
    const event = world.newEvent();
    await world.intake.record(event, [id]);
    const [claimed] = await world.schedule().claimDeliveries(10);
    expect(claimed).toMatchObject({
      receiverId: id,
      organizationId: world.organizationId,
      eventId: event.id,
      eventType: 'policy.updated',
      payload: event.payload,
      round: 1,
      attemptNumber: 1,
      url: `https://hooks.example.com/${id}`,
      sealedSecrets: [Buffer.from(`sealed ${id}`)],
    });
    expect(await world.delivery(claimed!.id)).toMatchObject({ attempt_count: 1, lease_id: claimed!.leaseId });
    expect(await world.schedule().claimDeliveries(10)).toEqual([]);
  });

  it('31: gives the previous secret too, until the database says that it has expired', async () => {
    const id = await world.addEndpoint();
    const rotate = (expires: string) =>
      world.sql(
        `UPDATE webhook_endpoints SET previous_secret_ciphertext = 'old',
        previous_secret_expires_at = clock_timestamp() + $1::interval`,
        [expires],
      );
    await world.add([id], 2);
    await rotate('1 second');
    expect((await world.schedule().claimDeliveries(1))[0]?.sealedSecrets).toEqual([
      Buffer.from(`sealed ${id}`),
      Buffer.from('old'),
    ]);
    await rotate('-1 seconds');
    expect((await world.schedule().claimDeliveries(1))[0]?.sealedSecrets).toEqual([
      Buffer.from(`sealed ${id}`),
    ]);
  });

  it('25: is never early, and is on time', async () => {
    const id = await world.addEndpoint();
    await world.add([id]);
    await world.sql(`UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp() + interval '300 ms'`);
    let lastTriedAt = new Date(0);
    for (;;) {
      const [moment] = await world.sql<{ now: Date }>('SELECT clock_timestamp() AS now');
      const [claimed] = await world.schedule().claimDeliveries(1);
      if (claimed !== undefined) {
        expect(claimed.claimedAt.getTime()).toBeGreaterThanOrEqual(claimed.dueAt.getTime());
        // No claim that began when it was due has left it.
        expect(lastTriedAt.getTime()).toBeLessThanOrEqual(claimed.dueAt.getTime());
        break;
      }
      lastTriedAt = moment!.now;
    }
  });

  it('25: leaves what is not due yet of a lane from which something is', async () => {
    const id = await world.addEndpoint();
    await world.add([id], 2);
    const [first] = await world.deliveries();
    await world.sql(
      `UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp() + interval '100 ms' WHERE id = $1`,
      [first!.id],
    );
    expect((await world.schedule().claimDeliveries(5)).map((claimed) => claimed.id)).not.toContain(first!.id);
    await eventually(async () => {
      expect(await world.schedule().claimDeliveries(5)).toMatchObject([{ id: first!.id }]);
    });
  });

  it('takes the oldest of an endpoint first', async () => {
    const id = await world.addEndpoint();
    await world.add([id], 5);
    await world.sql(
      `UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 s' * (ascii(right(id, 1)))`,
    );
    const expected = await world.sql<{ id: string }>(
      'SELECT id FROM webhook_deliveries ORDER BY next_attempt_at LIMIT 3',
    );
    const claimed = await world.schedule().claimDeliveries(3);
    expect(new Set(claimed.map(({ id: claimedId }) => claimedId))).toEqual(
      new Set(expected.map((row) => row.id)),
    );
  });

  it('34: shares what it may take among the endpoints that something waits for', async () => {
    const ids = await endpoints(3);
    await world.add([ids[0]!], 20);
    await world.add(ids, 4);
    expect(countBy((await world.schedule().claimDeliveries(9)).map(({ receiverId }) => receiverId))).toEqual(
      Object.fromEntries(ids.map((id) => [id, 3])),
    );
  });

  it('34, 35: serves the endpoint next that has waited longest for its turn, however much waits for the others', async () => {
    const [busy, ...others] = await endpoints(4);
    await world.add([busy!], 10);
    await world.add(others);
    const turns: string[] = [];
    for (let turn = 0; turn < 4; turn++)
      turns.push((await world.schedule().claimDeliveries(1))[0]!.receiverId);
    expect(new Set(turns).size).toBe(4);
  });

  it('35: has no more than 8 attempts of an endpoint in flight, and one more for each that ends', async () => {
    const id = await world.addEndpoint();
    await world.add([id], 12);
    const claimed = await world.schedule().claimDeliveries(100);
    expect(claimed).toHaveLength(8);
    expect(await world.schedule().claimDeliveries(100)).toEqual([]);
    expect(await world.lane(id)).toMatchObject({ full: true, turn_at: null });
    await webhookSettlement(world.test.database).settle(ended(claimed[0]!, ACKNOWLEDGED));
    expect(await world.schedule().claimDeliveries(100)).toHaveLength(1);
  });

  it('22: gives no delivery to two, nor an endpoint’s ninth to anybody, when many claim at once', async () => {
    const ids = await endpoints(5);
    await world.add(ids, 10);
    const claims = await Promise.all(Array.from({ length: 40 }, () => world.schedule().claimDeliveries(3)));
    const claimed = [...claims.flat(), ...(await world.schedule().claimDeliveries(100))];
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(claimed.length);
    expect(countBy(claimed.map(({ receiverId }) => receiverId))).toEqual(
      Object.fromEntries(ids.map((id) => [id, 8])),
    );
  });
});

describe('a lane that is closed', () => {
  it.each(['paused', 'disabled'] as const)(
    '27: lets nothing through to a %s endpoint but tests',
    async (state) => {
      const id = await world.addEndpoint(state);
      await world.add([id], 3);
      const testId = await world.addTest(id);
      const claimed = await world.schedule().claimDeliveries(10);
      expect(claimed.map(({ eventId }) => eventId)).toEqual([testId]);
      expect(await world.schedule().claimDeliveries(10)).toEqual([]);
      expect(await world.lane(id)).toMatchObject({ turn_at: null });
    },
  );

  it('27: hides nothing behind it, however many there are', async () => {
    const closed = await Promise.all(Array.from({ length: 30 }, () => world.addEndpoint('paused')));
    await world.add(closed);
    const open = await world.addEndpoint();
    await world.add([open]);
    expect((await world.schedule().claimDeliveries(2)).map(({ receiverId }) => receiverId)).toEqual([open]);
  });

  it('27: is opened by the change that enables its endpoint, one at a time at first, then more and more', async () => {
    const id = await world.addEndpoint('paused');
    await world.add([id], 40);
    expect(await world.schedule().claimDeliveries(100)).toEqual([]);
    await world.sql(`UPDATE webhook_endpoints SET enabled = true, state = 'active'`);
    const settlement = webhookSettlement(world.test.database);
    const ramp: number[] = [];
    for (let round = 0; round < 5; round++) {
      const claimed = await world.schedule().claimDeliveries(100);
      ramp.push(claimed.length);
      await Promise.all(claimed.map((delivery) => settlement.settle(ended(delivery, ACKNOWLEDGED))));
    }
    expect(ramp).toEqual([1, 2, 4, 8, 8]);
  });

  it('28: of an endpoint that is deleted lets nothing through at all', async () => {
    const id = await world.addEndpoint();
    await world.add([id]);
    await world.addTest(id);
    await world.sql('UPDATE webhook_endpoints SET deleted_at = now()');
    expect(await world.schedule().claimDeliveries(10)).toEqual([]);
  });
});

describe('a lane', () => {
  it('is called by a retry by hand, of one or of many', async () => {
    const ids = await endpoints(2);
    await world.add(ids, 3);
    const settlement = webhookSettlement(world.test.database);
    const claimed = await world.schedule().claimDeliveries(10);
    await Promise.all(claimed.map((delivery) => settlement.settle(ended(delivery, ACKNOWLEDGED))));
    expect(await world.schedule().claimDeliveries(10)).toEqual([]);
    const store = new WebhookDeliveryStore(world.test.database);
    const [one, many] = ids as [string, string];
    await new UnitOfWork(world.test.database).transaction(async (tx) => {
      for (const { id } of claimed.filter(({ receiverId }) => receiverId === one)) {
        const { delivery, now } = (await store.lockDelivery(tx, world.organizationId, id))!;
        await store.requeue(tx, id, retriedByHand(delivery, now));
      }
      await store.requeueMany(tx, many, { status: 'succeeded' });
    });
    const retried = await world.schedule().claimDeliveries(10);
    expect(retried).toHaveLength(6);
    expect(retried[0]).toMatchObject({ round: 2, attemptNumber: 1 });
  });

  it('never misses a delivery that commits while its lane is being looked at', async () => {
    const id = await world.addEndpoint();
    const settlement = webhookSettlement(world.test.database);
    let isDone = false;
    const adding = (async () => {
      for (let made = 0; made < 60; made++) await world.add([id]);
      isDone = true;
    })();
    let ends = 0;
    for (let idle = 0; idle < 3;) {
      const wasDone = isDone;
      const claims = await Promise.all([
        world.schedule().claimDeliveries(5),
        world.schedule().claimDeliveries(5),
      ]);
      const claimed = claims.flat();
      await Promise.all(claimed.map((delivery) => settlement.settle(ended(delivery, ACKNOWLEDGED))));
      ends += claimed.length;
      idle = wasDone && claimed.length === 0 ? idle + 1 : 0;
    }
    await adding;
    expect(ends).toBe(60);
  });

  it('is given fewer attempts at once by failures, more by successes, and between 1 and 8', async () => {
    const id = await world.addEndpoint();
    await world.add([id], 8);
    const settlement = webhookSettlement(world.test.database);
    const claimed = await world.schedule().claimDeliveries(8);
    const slots: number[] = [];
    for (const delivery of claimed.slice(0, 4)) {
      await settlement.settle(ended(delivery));
      slots.push((await world.lane(id)).slots);
    }
    for (const delivery of claimed.slice(4)) {
      await settlement.settle(ended(delivery, ACKNOWLEDGED));
      slots.push((await world.lane(id)).slots);
    }
    expect(slots).toEqual([4, 2, 1, 1, 2, 3, 4, 5]);
  });
});

describe('a lost delivery', () => {
  it('is found when its lease has run out, and not before', async () => {
    await world.add([await world.addEndpoint()]);
    const schedule = world.schedule({ leaseMs: 1_000 });
    const [claimed] = await schedule.claimDeliveries(1);
    expect(await schedule.findLost(10)).toEqual([]);
    const { id, receiverId, leaseId, round, attemptNumber, claimedAt } = claimed!;
    const [lost] = await eventually(async () => {
      const found = await schedule.findLost(10);
      expect(found).toHaveLength(1);
      return found;
    });
    expect(lost).toMatchObject({ id, receiverId, leaseId, round, attemptNumber });
    expect(Math.abs(lost!.claimedAt.getTime() - claimedAt.getTime())).toBeLessThanOrEqual(1);
  });
});

describe('the lag', () => {
  it('is the age of what waits for enabled endpoints, and not of what waits for others', async () => {
    const [late, later] = await endpoints(2);
    const paused = await world.addEndpoint('paused');
    await world.add([late!, later!, paused], 10);
    const age = (id: string, text: string) =>
      world.sql(
        'UPDATE webhook_deliveries SET next_attempt_at = now() - $2::interval WHERE endpoint_id = $1',
        [id, text],
      );
    await age(late!, '20 seconds');
    await age(later!, '2 minutes');
    await age(paused, '20 days');
    for (let turn = 0; turn < 4; turn++) await world.schedule().claimDeliveries(4);
    const { oldestSeconds, receiversBehind } = await world.schedule().lag();
    expect(Math.round(oldestSeconds / 10)).toBe(12);
    expect(receiversBehind).toEqual([
      { overSeconds: 1, receiverCount: 2 },
      { overSeconds: 10, receiverCount: 2 },
      { overSeconds: 60, receiverCount: 1 },
      { overSeconds: 600, receiverCount: 0 },
    ]);
  });

  it('is nothing when nothing waits', async () => {
    await world.addEndpoint();
    expect((await world.schedule().lag()).oldestSeconds).toBe(0);
  });
});
