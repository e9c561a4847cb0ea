import { openDatabase } from '@svc/database';
import { DEFAULT_RETRY_DELAYS_SECONDS } from '@svc/events';
import { eventually } from '@svc/testing';
import { ACKNOWLEDGED, DeliveryWorld, ended } from '../../testing/delivery-world';
import { type DeliverySettlement } from '../engine/delivery-settlement';
import { type EndedAttempt } from '../engine/ended-attempt';
import { type LeasedDelivery } from '../engine/leased-delivery';
import { webhookSettlement } from './webhook-queue';

let world: DeliveryWorld;
let settlement: DeliverySettlement;
beforeEach(async () => {
  world = await DeliveryWorld.open();
  settlement = webhookSettlement(world.test.database);
});
afterEach(() => world.close());

const claimOf = async (endpointId: string, count = 1): Promise<readonly LeasedDelivery[]> => {
  await world.add([endpointId], count);
  const claimed: LeasedDelivery[] = [];
  while (claimed.length < count)
    claimed.push(...(await world.schedule().claimDeliveries(count - claimed.length)));
  return claimed;
};
// The column rounds to milliseconds: the time as it is could become one that has not come yet.
const dueNow = () =>
  world.sql(
    `UPDATE webhook_deliveries SET next_attempt_at = date_trunc('milliseconds', now()) WHERE next_attempt_at IS NOT NULL`,
  );
const databaseTimeMs = async () => {
  const [row] = await world.sql<{ now: Date }>('SELECT clock_timestamp() AS now');
  return row!.now.getTime();
};
const endpointOf = async (id: string) => {
  const [row] = await world.sql('SELECT * FROM webhook_endpoints WHERE id = $1', [id]);
  return row!;
};
const attemptsOf = (id: string) =>
  world.sql('SELECT * FROM webhook_delivery_attempts WHERE delivery_id = $1 ORDER BY round, attempt', [id]);
const disabledEvents = async () => {
  const rows = await world.sql<{ payload: string }>(
    `SELECT payload FROM outbox_events WHERE type = 'webhook.endpoint_disabled'`,
  );
  return rows.map(({ payload }) => (JSON.parse(payload) as { data: unknown }).data);
};
const setFailures = (consecutiveFailures: number) =>
  world.sql('UPDATE webhook_endpoints SET consecutive_failures = $1', [consecutiveFailures]);

describe('an attempt that ends', () => {
  it('is in the log, and its delivery stands where the rules put it', async () => {
    const [delivery] = await claimOf(await world.addEndpoint());
    expect(await settlement.settle(ended(delivery!, ACKNOWLEDGED))).toEqual({
      status: 'succeeded',
      nextAttemptAt: null,
      isReceiverDisabled: false,
    });
    expect(await world.delivery(delivery!.id)).toMatchObject({
      status: 'succeeded',
      attempt_count: 1,
      next_attempt_at: null,
      lease_id: null,
    });
    expect(await attemptsOf(delivery!.id)).toEqual([
      {
        delivery_id: delivery!.id,
        round: 1,
        attempt: 1,
        started_at: delivery!.claimedAt,
        duration_ms: 12,
        status_code: 204,
        error: null,
        response_excerpt: null,
      },
    ]);
  });

  it('25: makes it due after exactly its delay by the database’s clock, never before, and after the sixth never', async () => {
    const endpointId = await world.addEndpoint();
    let [delivery] = await claimOf(endpointId);
    for (const delaySeconds of DEFAULT_RETRY_DELAYS_SECONDS) {
      const beforeMs = await databaseTimeMs();
      const settled = await settlement.settle(ended(delivery!));
      const afterMs = await databaseTimeMs();
      expect(settled?.status).toBe('failed');
      expect(settled!.nextAttemptAt!.getTime()).toBeGreaterThan(beforeMs + delaySeconds * 1000);
      expect(settled!.nextAttemptAt!.getTime()).toBeLessThanOrEqual(afterMs + delaySeconds * 1000 + 1);
      expect((await world.delivery(delivery!.id)).next_attempt_at).toEqual(settled!.nextAttemptAt);
      expect(await world.schedule().claimDeliveries(1)).toEqual([]);
      await dueNow();
      [delivery] = await world.schedule().claimDeliveries(1);
    }
    expect(delivery).toMatchObject({ attemptNumber: 6 });
    expect(await settlement.settle(ended(delivery!))).toMatchObject({ status: 'dead', nextAttemptAt: null });
    expect(await world.schedule().claimDeliveries(1)).toEqual([]);
    expect(await attemptsOf(delivery!.id)).toHaveLength(6);
  });

  it('21: by being lost is due again at once, is one of the six, and not its endpoint’s fault', async () => {
    const endpointId = await world.addEndpoint();
    await claimOf(endpointId);
    const lost: Partial<Omit<EndedAttempt, 'delivery'>> = {
      outcome: 'worker_lost',
      isOwnFault: true,
      error: 'worker_lost',
      statusCode: null,
      durationMs: null,
      responseExcerpt: null,
    };
    const schedule = world.schedule({ leaseMs: -1_000 });
    const statuses: unknown[] = [];
    for (let attempt = 1; attempt <= 6; attempt++) {
      // At once is within a millisecond.
      if (attempt > 1)
        await eventually(async () => expect(await schedule.claimDeliveries(1)).toHaveLength(1));
      else await world.sql(`UPDATE webhook_deliveries SET lease_until = now() - interval '1 s'`);
      const [found] = await schedule.findLost(10);
      expect(found).toMatchObject({ attemptNumber: attempt });
      statuses.push((await settlement.settle(ended(found!, lost)))?.status);
    }
    expect(statuses).toEqual(['failed', 'failed', 'failed', 'failed', 'failed', 'dead']);
    expect(await endpointOf(endpointId)).toMatchObject({ consecutive_failures: 0, state: 'active' });
    expect(await world.lane(endpointId)).toMatchObject({ slots: 8 });
  });

  it('22: under a lease that is not the delivery’s any more changes nothing', async () => {
    const endpointId = await world.addEndpoint();
    const [delivery] = await claimOf(endpointId);
    expect(await settlement.settle(ended({ ...delivery!, leaseId: 'another' }, ACKNOWLEDGED))).toBeNull();
    await settlement.settle(ended(delivery!, { outcome: 'worker_lost', isOwnFault: true }));
    const before = await world.deliveries();
    expect(await settlement.settle(ended(delivery!, ACKNOWLEDGED))).toBeNull();
    expect(await world.deliveries()).toEqual(before);
    expect(await attemptsOf(delivery!.id)).toHaveLength(1);
    expect(await endpointOf(endpointId)).toMatchObject({ consecutive_failures: 0 });
  });

  it('22: twice at once counts once', async () => {
    const endpointId = await world.addEndpoint();
    const [delivery] = await claimOf(endpointId);
    const other = webhookSettlement(world.test.database);
    const attempt = ended(delivery!);
    const settled = await Promise.all([
      settlement.settle(attempt),
      settlement.settle(attempt),
      other.settle(attempt),
    ]);
    expect(settled.filter((one) => one !== null)).toHaveLength(1);
    expect(await endpointOf(endpointId)).toMatchObject({ consecutive_failures: 1 });
  });

  it('26: after a retry by hand leaves the new round alone, and is in the log of the old one', async () => {
    const [delivery] = await claimOf(await world.addEndpoint());
    await world.sql(
      `UPDATE webhook_deliveries SET status = 'queued', round = 2, attempt_count = 0, next_attempt_at = now()`,
    );
    expect(await settlement.settle(ended(delivery!, ACKNOWLEDGED))).toMatchObject({ status: 'queued' });
    expect(await world.delivery(delivery!.id)).toMatchObject({
      status: 'queued',
      round: 2,
      attempt_count: 0,
    });
    expect(await attemptsOf(delivery!.id)).toMatchObject([{ round: 1, attempt: 1, status_code: 204 }]);
    expect(await world.schedule().claimDeliveries(1)).toMatchObject([{ round: 2, attemptNumber: 1 }]);
  });

  it('26: by being lost after a retry by hand gives the new round its lease back', async () => {
    const [delivery] = await claimOf(await world.addEndpoint());
    await world.sql(
      `UPDATE webhook_deliveries SET status = 'queued', round = 2, attempt_count = 0, lease_until = now() - interval '1 ms'`,
    );
    const [lost] = await world.schedule().findLost(1);
    expect(lost).toMatchObject({ id: delivery!.id, attemptNumber: 0 });
    await settlement.settle(ended(lost!, { outcome: 'worker_lost', isOwnFault: true }));
    expect(await world.schedule().claimDeliveries(1)).toMatchObject([{ round: 2, attemptNumber: 1 }]);
    expect(await attemptsOf(delivery!.id)).toEqual([]);
  });

  it('28: at an endpoint that is deleted meanwhile is the last', async () => {
    const endpointId = await world.addEndpoint();
    const [failed, succeeded] = await claimOf(endpointId, 2);
    await world.sql('UPDATE webhook_endpoints SET deleted_at = now()');
    await setFailures(24);
    expect(await settlement.settle(ended(failed!))).toMatchObject({
      status: 'dead',
      isReceiverDisabled: false,
    });
    expect(await settlement.settle(ended(succeeded!, ACKNOWLEDGED))).toMatchObject({ status: 'succeeded' });
    expect(await disabledEvents()).toEqual([]);
  });

  it('14: with an answer of any text is stored', async () => {
    const [delivery] = await claimOf(await world.addEndpoint());
    const responseExcerpt = 'é😀\u2028<script>\uFFFD"\\';
    await settlement.settle(ended(delivery!, { responseExcerpt }));
    expect(await attemptsOf(delivery!.id)).toMatchObject([{ response_excerpt: responseExcerpt }]);
  });
});

describe('an endpoint', () => {
  it('29: is disabled by the 25th failure once, by however many at once, and tells of it once', async () => {
    const endpointId = await world.addEndpoint();
    await setFailures(20);
    const deliveries = await claimOf(endpointId, 8);
    const settlements = deliveries.map(() => webhookSettlement(world.test.database));
    const settled = await Promise.all(
      deliveries.map((delivery, at) => settlements[at]!.settle(ended(delivery))),
    );
    expect(settled.filter((one) => one?.isReceiverDisabled === true)).toHaveLength(1);
    expect(await endpointOf(endpointId)).toMatchObject({
      state: 'disabled',
      enabled: false,
      disabled_reason: 'consecutive_failures',
      consecutive_failures: 28,
    });
    expect(await disabledEvents()).toEqual([
      {
        endpoint_id: endpointId,
        url: `https://hooks.example.com/${endpointId}`,
        reason: 'consecutive_failures',
        consecutive_failures: 25,
      },
    ]);
  });

  it('29: is failing from the tenth on, and active again by one success between', async () => {
    const endpointId = await world.addEndpoint();
    await setFailures(9);
    const [first, second, third] = await claimOf(endpointId, 3);
    await settlement.settle(ended(first!));
    expect(await endpointOf(endpointId)).toMatchObject({
      state: 'failing',
      enabled: true,
      consecutive_failures: 10,
    });
    await settlement.settle(ended(second!, ACKNOWLEDGED));
    expect(await endpointOf(endpointId)).toMatchObject({ state: 'active', consecutive_failures: 0 });
    await settlement.settle(ended(third!));
    expect(await endpointOf(endpointId)).toMatchObject({ state: 'active', consecutive_failures: 1 });
  });

  it('29: is not blamed for what we could not send, nor for a test', async () => {
    const endpointId = await world.addEndpoint();
    await setFailures(24);
    const [delivery] = await claimOf(endpointId);
    await settlement.settle(ended(delivery!, { isOwnFault: true, error: 'not_sent', statusCode: null }));
    await world.addTest(endpointId);
    const [test] = await world.schedule().claimDeliveries(1);
    await settlement.settle(ended(test!));
    expect(await endpointOf(endpointId)).toMatchObject({ state: 'active', consecutive_failures: 24 });
    expect(await disabledEvents()).toEqual([]);
  });

  it('29: that was paused stays paused, however an attempt ends that was in flight', async () => {
    const endpointId = await world.addEndpoint();
    await setFailures(24);
    const [first, second] = await claimOf(endpointId, 2);
    await world.sql(`UPDATE webhook_endpoints SET enabled = false, state = 'paused'`);
    await settlement.settle(ended(first!));
    await settlement.settle(ended(second!, ACKNOWLEDGED));
    expect(await endpointOf(endpointId)).toMatchObject({
      state: 'paused',
      enabled: false,
      consecutive_failures: 0,
    });
    expect(await disabledEvents()).toEqual([]);
  });

  it('is changed at no other than its own attempts, and not touched by a success that changes nothing', async () => {
    const [id, other] = [await world.addEndpoint(), await world.addEndpoint()];
    const before = [await endpointOf(id), await endpointOf(other)];
    const [delivery] = await claimOf(id);
    await settlement.settle(ended(delivery!, ACKNOWLEDGED));
    expect([await endpointOf(id), await endpointOf(other)]).toEqual(before);
  });
});

describe('settlements', () => {
  it('of many endpoints and dispatchers at once all count, beside events that come in', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => world.addEndpoint()));
    await world.add(ids, 4);
    const settlements = [settlement, webhookSettlement(world.test.database)];
    let settledCount = 0;
    const claimAndSettle = async (by: DeliverySettlement) => {
      for (let idle = 0; idle < 20;) {
        const claimed = await world.schedule().claimDeliveries(10);
        const results = await Promise.all(
          claimed.map((delivery) => by.settle(ended(delivery, ACKNOWLEDGED))),
        );
        settledCount += results.filter((one) => one !== null).length;
        idle = claimed.length === 0 ? idle + 1 : 0;
      }
    };
    await Promise.all([...settlements.map(claimAndSettle), world.add(ids.toReversed(), 4)]);
    expect(settledCount).toBe(96);
    const rows = await world.deliveries();
    expect(rows.every(({ status, lease_id }) => status === 'succeeded' && lease_id === null)).toBe(true);
  });

  it('24: wait for a database that is away, and are not lost', async () => {
    const [delivery] = await claimOf(await world.addEndpoint());
    const { database } = world.test;
    let refusals = 3;
    const connect = () =>
      refusals-- > 0
        ? Promise.reject(new Error('Connection terminated unexpectedly'))
        : database.pool.connect();
    const pool = Object.assign(Object.create(database.pool) as typeof database.pool, { connect });
    const waiting = webhookSettlement({ ...database, pool });
    expect(await waiting.settle(ended(delivery!, ACKNOWLEDGED))).toMatchObject({ status: 'succeeded' });
    expect(refusals).toBe(-1);
  });

  it('end with the database that they cannot reach any more', async () => {
    const [delivery] = await claimOf(await world.addEndpoint());
    const closed = openDatabase({ url: world.test.url, poolSize: 1 });
    await closed.close();
    await expect(webhookSettlement(closed).settle(ended(delivery!))).rejects.toThrow();
  });

  it('that cannot be decided fail alone', async () => {
    const [bad, good] = [await world.addEndpoint(), await world.addEndpoint()];
    await world.sql('UPDATE webhook_endpoints SET url = $2, consecutive_failures = 24 WHERE id = $1', [
      bad,
      'gopher:x',
    ]);
    await world.add([bad, good]);
    const claimed = await world.schedule().claimDeliveries(10);
    const results = await Promise.allSettled(claimed.map((delivery) => settlement.settle(ended(delivery))));
    const [failing, passing] = [bad, good].map(
      (id) => results[claimed.findIndex(({ receiverId }) => receiverId === id)],
    );
    expect(failing).toMatchObject({
      status: 'rejected',
      reason: { message: 'an attempt could not be settled' },
    });
    expect(passing).toMatchObject({ status: 'fulfilled', value: { status: 'failed' } });
  });
});
