import { setTimeout as pause } from 'node:timers/promises';
import {
  bucketGroups,
  bucketsFor,
  DROPS_PER_UNIT,
  withBucketGroups,
  type BucketDemand,
  type BucketOwner,
} from '@svc/limits';
import { createLogger } from '@svc/runtime/observability';
import { eventually, FakeClock, freePort } from '@svc/testing';
import { Redis } from 'ioredis';
import { openRedis } from '../connection/open-redis';
import { type RedisConnection } from '../connection/redis-connection';
import { RedisServer } from '../testing';
import { affinityRecord, RedisBuckets } from './redis-buckets';

const logger = createLogger({ service: 'redis-spec', level: 'silent' });
const one: BucketDemand = { requests: 1, tokens: 100 };

let server: RedisServer;
let observer: Redis;
const connections: RedisConnection[] = [];
const connect = async () => {
  const connection = await openRedis({ url: server.url, logger });
  connections.push(connection);
  return connection;
};

let organizations = 0;
/** Each call makes a new organization, so that tests are independent. */
const holders = (key = { rpm: 100, tpm: 1_000_000 }, organization = { rpm: 1000, tpm: 10_000_000 }) =>
  ({
    organizationId: `org_${String(++organizations)}`,
    apiKeyId: 'key_1',
    buckets: bucketsFor(key, organization),
  }) satisfies BucketOwner;

/** Simulates a clock that was set back, because a spec cannot set the server's clock. */
async function moveIntoTheFuture(key: string, byMs: number): Promise<void> {
  const record = await observer.getBuffer(key);
  record!.writeDoubleLE(record!.readDoubleLE(0) + byMs, 0);
  await observer.set(key, record!, 'KEEPTTL');
}

beforeAll(async () => {
  server = await RedisServer.start(await freePort());
  observer = new Redis(server.url);
});
afterAll(async () => {
  for (const connection of connections) connection.close();
  observer.disconnect();
  await server.stop();
});

describe('the four buckets in Redis', () => {
  it('admit no more than the capacity, however many gateways use them at once', async () => {
    const gateways = await Promise.all([1, 2, 3, 4, 5].map(connect));
    const caller = holders();
    const startedAtMs = Date.now();
    const admissions = await Promise.all(
      Array.from({ length: 500 }, (_, call) =>
        new RedisBuckets(gateways[call % gateways.length]!).take(caller, one),
      ),
    );
    const refilled = Math.floor(((Date.now() - startedAtMs) * 100) / 60_000);
    const admitted = admissions.filter((admission) => admission.admitted).length;
    expect(admitted).toBeGreaterThanOrEqual(100);
    expect(admitted).toBeLessThanOrEqual(100 + refilled);
  });

  it('run on the clock of the Redis server', async () => {
    const buckets = new RedisBuckets(await connect());
    const serverSeconds = async () => Number((await observer.time())[0]);
    const before = await serverSeconds();
    const { states } = await buckets.take(holders(), one);
    const after = await serverSeconds();
    for (const { updatedAtMs } of states) {
      expect(updatedAtMs / 1000).toBeGreaterThanOrEqual(before);
      expect(updatedAtMs / 1000).toBeLessThan(after + 1);
    }
  });

  it('refill on that clock', async () => {
    const buckets = new RedisBuckets(await connect());
    const hundredASecond = { rpm: 6000, tpm: 1000 };
    const caller = holders(hundredASecond, hundredASecond);
    expect((await buckets.take(caller, { requests: 6000, tokens: 0 })).admitted).toBe(true);
    expect((await buckets.take(caller, { requests: 5000, tokens: 0 })).admitted).toBe(false);
    await pause(600);
    expect((await buckets.take(caller, { requests: 50, tokens: 0 })).admitted).toBe(true);
  });

  it('refill from the first call on after that clock was set back by an hour', async () => {
    const buckets = new RedisBuckets(await connect());
    const hundredASecond = { rpm: 6000, tpm: 1000 };
    const caller = holders(hundredASecond, hundredASecond);
    await buckets.take(caller, { requests: 6000, tokens: 0 });
    const record = `svc:{${caller.organizationId}}:buckets`;
    for (const key of [record, `${record}:${caller.apiKeyId}`]) await moveIntoTheFuture(key, 3_600_000);

    expect((await buckets.take(caller, { requests: 1, tokens: 0 })).admitted).toBe(false);
    await pause(600);
    expect((await buckets.take(caller, { requests: 50, tokens: 0 })).admitted).toBe(true);
    expect((await buckets.take(caller, { requests: 5000, tokens: 0 })).admitted).toBe(false);
  });

  it('stay exact at the largest limit that can be stored', async () => {
    const clock = new FakeClock();
    const buckets = new RedisBuckets(await connect(), clock);
    const largest = 2 ** 31 - 1;
    const caller = holders({ rpm: largest, tpm: largest }, { rpm: largest, tpm: largest });
    await buckets.take(caller, { requests: 1, tokens: largest });
    clock.advance(59_999);
    const { states } = await buckets.take(caller, { requests: 0, tokens: 1 });
    const full = largest * DROPS_PER_UNIT;
    expect(states.map(({ level }) => level)).toEqual([
      full,
      59_999 * largest - DROPS_PER_UNIT,
      full,
      59_999 * largest - DROPS_PER_UNIT,
    ]);
  });

  it('send for a call without groups the two keys and the bytes that they always sent', async () => {
    const buckets = new RedisBuckets(await connect());
    const caller = holders();
    const record = `svc:{${caller.organizationId}}:buckets`;
    const watching = new Redis(server.url);
    const monitor = await watching.monitor();
    const commands: string[][] = [];
    monitor.on('monitor', (_time, args: string[], source) => {
      if (args[0]?.toLowerCase() === 'evalsha' || source === 'lua') commands.push(args);
    });
    await buckets.take(caller, one);
    await buckets.take(caller, one);
    await eventually(() => {
      expect(commands.filter(([name]) => name?.toLowerCase() === 'evalsha')).toHaveLength(2);
      expect(commands.filter(([name]) => name?.toUpperCase() === 'SET')).toHaveLength(4);
    });
    monitor.disconnect();
    watching.disconnect();
    const [, ...sent] = commands.findLast(([name]) => name?.toLowerCase() === 'evalsha')!;
    expect(sent.slice(1)).toEqual(['2', `${record}:key_1`, record, '', '100,1000000,1000,10000000,1,100']);
    const inScript = commands.slice(-4).map(([name, ...args]) => [name!.toUpperCase(), ...args]);
    expect(inScript.map(([name, key]) => [name, key])).toEqual([
      ['TIME', undefined],
      ['MGET', `${record}:key_1`],
      ['SET', `${record}:key_1`],
      ['SET', record],
    ]);
    expect(inScript[1]).toEqual(['MGET', `${record}:key_1`, record]);
  });

  it('are read together with an affinity entry, in one command and in the same slot of a cluster', async () => {
    const buckets = new RedisBuckets(await connect());
    const caller = holders();
    const record = affinityRecord(caller.organizationId, 'hash');
    expect(record).toBe(`svc:{${caller.organizationId}}:affinity:hash`);
    await buckets.writeEntry(record, 'endpoint\ncredential', 600_000);
    expect(await observer.pttl(record)).toBeGreaterThan(590_000);
    await buckets.take(caller, one, record);
    await observer.config('RESETSTAT');
    const taken = await Promise.all([
      buckets.take(caller, one, record),
      buckets.take(caller, one),
      buckets.take(caller, one, affinityRecord(caller.organizationId, 'other')),
    ]);
    expect(taken.map(({ entry }) => entry)).toEqual(['endpoint\ncredential', undefined, undefined]);
    expect(taken.map(({ admitted }) => admitted)).toEqual([true, true, true]);
    const stats = await observer.info('commandstats');
    expect(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1]).toBe('1');
  });

  it('are up to five records of a call, which expire as the others do', async () => {
    const buckets = new RedisBuckets(await connect());
    const limit = { rpm: 10, tpm: 1_000 };
    const groups = bucketGroups({
      ...{ projectId: 'proj_1', project: limit },
      ...{ endUserId: 'eu_1', endUser: limit, endUserOfProject: limit },
    });
    const caller = withBucketGroups(holders(), groups);
    const both = await Promise.all([buckets.take(caller, one), buckets.take(holders(), one)]);
    expect(both.map(({ admitted, states }) => [admitted, states.length])).toEqual([
      [true, 10],
      [true, 4],
    ]);
    const record = `svc:{${caller.organizationId}}:buckets`;
    const ids = ['eu_1', 'key_1', 'proj_1', 'proj_1:eu_1'];
    const records = [record, ...ids.map((id) => `${record}:${id}`)];
    expect((await observer.keys(`*${caller.organizationId}}*`)).sort()).toEqual(records);
    for (const key of records) expect(await observer.pttl(key)).toBeLessThanOrEqual(60_000);
  });

  it('take 24 bytes per holder, in one slot of a cluster, and expire once they are full', async () => {
    const buckets = new RedisBuckets(await connect());
    const caller = holders();
    await buckets.take(caller, one);
    await buckets.giveBack(caller, one);
    const record = `svc:{${caller.organizationId}}:buckets`;
    expect((await observer.keys(`*${caller.organizationId}}*`)).sort()).toEqual([record, `${record}:key_1`]);
    for (const key of [record, `${record}:key_1`]) {
      expect(await observer.strlen(key)).toBe(24);
      const lifetimeMs = await observer.pttl(key);
      expect(lifetimeMs).toBeGreaterThan(50_000);
      expect(lifetimeMs).toBeLessThanOrEqual(60_000);
    }
  });

  it('ignore a give-back to expired buckets', async () => {
    const buckets = new RedisBuckets(await connect());
    const caller = holders();
    await buckets.take(caller, one);
    await observer.flushall();
    await buckets.giveBack(caller, one);
    expect(await observer.dbsize()).toBe(0);
  });

  it('need one round trip, and one more when Redis has lost the scripts', async () => {
    const buckets = new RedisBuckets(await connect());
    const caller = holders();
    const callsOf = async (command: string) =>
      Number(
        new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(await observer.info('commandstats'))?.[1] ?? 0,
      );
    await buckets.take(caller, one);
    await observer.config('RESETSTAT');
    await buckets.take(caller, one);
    expect([await callsOf('evalsha'), await callsOf('eval')]).toEqual([1, 0]);
    await observer.script('FLUSH');
    expect((await buckets.take(caller, one)).admitted).toBe(true);
    expect(await callsOf('eval')).toBe(1);
  });
});
