import { once } from 'node:events';
import { bucketsFor } from '@svc/limits';
import { createLogger } from '@svc/runtime/observability';
import { eventually, freePort } from '@svc/testing';
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
const logger = createLogger(
  { service: 'redis-spec', level: 'info' },
  { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) },
);
beforeEach(async () => {
  logged = [];
  server = await RedisServer.start(await freePort());
  redis = await openRedis({ url: server.url, logger });
});
afterEach(async () => {
  redis.close();
  await server.stop();
});

const take = () => new RedisBuckets(redis).take(holders, { requests: 1, tokens: 1 });
/** A wait without a bound is red then, in place of after this tier's five minutes for a test. */
const ENDED_MS = 20_000;
const ended = <T>(work: Promise<T>): Promise<T> => {
  const late = AbortSignal.timeout(ENDED_MS);
  return Promise.race([work, once(late, 'abort').then(() => Promise.reject(late.reason as Error))]);
};
const timed = async (work: Promise<unknown>) => {
  const startedAt = performance.now();
  const outcome: unknown = await ended(work).catch((error: unknown) => error);
  return { outcome, durationMs: performance.now() - startedAt };
};

describe('a connection to Redis', () => {
  it('refuses calls at once while Redis is down, and serves them when it is back', async () => {
    expect((await take()).admitted).toBe(true);
    await server.stop();
    await eventually(() => expect(logged).toEqual(['redis connection lost']));
    const durationsMs: number[] = [];
    for (let call = 1; call <= 20; call++) {
      const { outcome, durationMs } = await timed(take());
      expect(outcome).toMatchObject(overloaded);
      durationsMs.push(durationMs);
    }
    // The fastest call, because a busy machine delays the others. It does not wait for the time-out tested below.
    expect(Math.min(...durationsMs)).toBeLessThan(100);
    await server.startAgain();
    await eventually(async () => expect((await take()).admitted).toBe(true));
    expect(logged).toEqual(['redis connection lost', 'redis connection back']);
  });

  it('refuses calls in flight when Redis crashes, and never sends them again', async () => {
    server.pause();
    const calls = Array.from({ length: 50 }, () => timed(take()));
    await server.stop();
    for (const { outcome } of await Promise.all(calls)) expect(outcome).toMatchObject(overloaded);
    await server.startAgain();
    const { states } = await eventually(() => take());
    expect(states.map(({ level }) => level / 60_000)).toEqual([999, 999, 999, 999]);
  });

  it('waits less than a second for a Redis that does not answer, and recovers', async () => {
    server.pause();
    const { outcome, durationMs } = await timed(take());
    expect(outcome).toMatchObject(overloaded);
    expect(durationMs).toBeGreaterThan(200);
    expect(durationMs).toBeLessThan(10_000);
    const ping = await timed(redis.ping());
    expect(ping.outcome).toBeInstanceOf(Error);
    expect(ping.durationMs).toBeLessThan(10_000);
    await eventually(() => expect(logged).toEqual(['redis connection lost']));
    server.resume();
    await eventually(() => take());
  });

  it('accepts an answer that came while this process was too busy to read it', async () => {
    const taking = take();
    await new Promise((resolve) => setImmediate(resolve));
    const busyUntil = performance.now() + 400;
    while (performance.now() < busyUntil);
    expect((await taking).admitted).toBe(true);
  });

  it('that fails stops the start with one line without the password', async () => {
    const url = server.url.replace('//', '//svc:hunter2@');
    const address = server.url.replace('redis://', '');
    const failedStart = (timeoutMs?: number) =>
      ended(openRedis({ url, logger, ...(timeoutMs === undefined ? {} : { timeoutMs }) })).then(
        () => 'It started.',
        (error: unknown) => (error as Error).message,
      );
    expect(await failedStart()).toMatch(
      new RegExp(`^SVC_REDIS_URL: Redis at ${address} refuses: WRONGPASS (?!.*hunter2).+$`),
    );
    expect(logged).toEqual([]);
    await server.stop();
    expect(await failedStart(1_000)).toMatch(
      new RegExp(`^SVC_REDIS_URL: Redis at ${address} did not answer for 1 s: .*ECONNREFUSED.*$`),
    );
    await server.startAgain();
    server.pause();
    expect(await failedStart(1_000)).toMatch(/^SVC_REDIS_URL: Redis at .* did not answer for 1 s: .+$/);
    server.resume();
  });

  it('is retried at the start', async () => {
    await server.stop();
    const starting = openRedis({ url: server.url, logger });
    await eventually(() => expect(logged).toEqual(['redis connection lost', 'waiting for Redis']));
    await server.startAgain();
    const late = await starting;
    await late.ping();
    late.close();
  });
});
