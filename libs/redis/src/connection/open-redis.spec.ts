import { bucketsFor } from '@svc/inference';
import { createLogger } from '@svc/platform';
import { eventually } from '@svc/testing';
import { RedisBuckets } from '../rate-limit/redis-buckets';
import { RedisServer } from '../testing';
import { openRedis } from './open-redis';
import { type RedisConnection } from './redis-connection';

const limits = { rpm: 1000, tpm: 1000 };
const holders = { organizationId: 'org_1', apiKeyId: 'key_1', buckets: bucketsFor(limits, limits) };
const overloaded = { reason: 'overloaded', definition: { status: 503, retriable: true } };

let server: RedisServer;
let redis: RedisConnection;
let logged: string[];
beforeEach(async () => {
  logged = [];
  const logger = createLogger(
    { service: 'redis-spec', level: 'info' },
    { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) },
  );
  server = await RedisServer.start();
  redis = await openRedis({ url: server.url, logger });
});
afterEach(async () => {
  redis.close();
  await server.stop();
});

const take = () => new RedisBuckets(redis).take(holders, { requests: 1, tokens: 1 });
const timed = async (work: Promise<unknown>) => {
  const startedAt = performance.now();
  const outcome: unknown = await work.catch((error: unknown) => error);
  return { outcome, durationMs: performance.now() - startedAt };
};

describe('a connection to Redis', () => {
  it('refuses calls at once while Redis is away, and serves them when it is back', async () => {
    expect((await take()).admitted).toBe(true);
    await server.stop();
    await eventually(() => expect(logged).toEqual(['redis connection lost']));
    const durationsMs: number[] = [];
    for (let call = 1; call <= 20; call++) {
      const { outcome, durationMs } = await timed(take());
      expect(outcome).toMatchObject(overloaded);
      durationsMs.push(durationMs);
    }
    // The fastest, because a busy machine delays the others: none waits the quarter of a second below.
    expect(Math.min(...durationsMs)).toBeLessThan(100);
    await server.startAgain();
    await eventually(async () => expect((await take()).admitted).toBe(true), 5_000);
    expect(logged).toEqual(['redis connection lost', 'redis connection back']);
  });

  it('refuses calls that Redis dies under, and never sends them again', async () => {
    server.pause();
    const calls = Array.from({ length: 50 }, () => timed(take()));
    await server.stop();
    for (const { outcome } of await Promise.all(calls)) expect(outcome).toMatchObject(overloaded);
    await server.startAgain();
    const { states } = await eventually(() => take(), 5_000);
    expect(states.map(({ level }) => level / 60_000)).toEqual([999, 999, 999, 999]);
  });

  it('waits a quarter of a second for a Redis that does not answer, and finds it again', async () => {
    server.pause();
    const { outcome, durationMs } = await timed(take());
    expect(outcome).toMatchObject(overloaded);
    expect(durationMs).toBeGreaterThan(200);
    expect(durationMs).toBeLessThan(2_000);
    await expect(redis.ping()).rejects.toThrow();
    await eventually(() => expect(logged).toEqual(['redis connection lost']), 3_000);
    server.resume();
    await eventually(() => take(), 5_000);
  });

  it('takes an answer that came while this process was too busy to read it', async () => {
    const taking = take();
    await new Promise((resolve) => setImmediate(resolve));
    const busyUntil = performance.now() + 400;
    while (performance.now() < busyUntil);
    expect((await taking).admitted).toBe(true);
  });

  it('that cannot be made stops the start with one line that has no password', async () => {
    const logger = createLogger({ service: 'redis-spec', level: 'silent' });
    const url = server.url.replace('//', '//svc:hunter2@');
    const wrongPassword = await openRedis({ url, logger }).catch(
      (error: unknown) => (error as Error).message,
    );
    expect(wrongPassword).toMatch(/^Redis does not answer: WRONGPASS .+$/);
    expect(wrongPassword).not.toContain('hunter2');
    await server.stop();
    await expect(openRedis({ url, logger })).rejects.toThrow(/^Redis does not answer: .*ECONNREFUSED/);
    await server.startAgain();
  });
});
