// The cost of keys, limits, wallets and idempotency: replays, refusals, and one hot organization.
import { setTimeout as pause } from 'node:timers/promises';
import { chatCall } from '../candidates/requests.mjs';
import { STATISTICS_DELAY_MS } from '../machine/statistics.mjs';
import { figure, ratio, saturation, variant } from './variant.mjs';

const call = chatCall('plain');
const svc = (name, label, more = {}, how = {}) =>
  variant('svc', { ...call, ...more }, { name, label, ...how });
/** A bare server that refuses in its first hook. */
const bareRefusal = variant('bare', chatCall('refused'), {
  label: 'bare Fastify, refusing',
  expected: [401],
});

const cpuWithServers = (rows, name) =>
  figure(rows, name, 'cpuMicros') +
  figure(rows, name, 'postgresqlMicros') +
  figure(rows, name, 'redisMicros');

const replayedKeys = Array.from({ length: 256 }, (_, at) => `replay-${at}`);

const replay = {
  name: 'replay',
  title: 'Idempotent replays',
  baseline: 'fresh',
  ...saturation,
  variants: () => [
    svc('fresh', 'Svc, a fresh call'),
    svc(
      'fresh-keyed',
      'Svc, a fresh call with an Idempotency-Key',
      { headers: [{ 'idempotency-key': 'fresh-{{unique..}}' }] },
      { unique: true },
    ),
    svc(
      'replay',
      `Svc, replays of ${replayedKeys.length} keys`,
      { headers: replayedKeys.map((key) => ({ 'idempotency-key': key })) },
      // One connection first: until the first call of a key is answered, others would get 409.
      { first: { connections: 1, callsMax: replayedKeys.length } },
    ),
  ],
  promises: (rows) => [
    {
      promise: 'CPU of a replay, the servers’ included, of a fresh call’s',
      value: cpuWithServers(rows, 'replay') / cpuWithServers(rows, 'fresh'),
      atMost: 0.5,
    },
  ],
};

const rejectedByLimit = {
  name: 'rejected-by-limit',
  title: 'Rejected by a rate limit',
  baseline: 'bare',
  ...saturation,
  variants: ({ installation }) => [
    bareRefusal,
    svc(
      'svc',
      'Svc',
      { apiKeys: [installation.slowApiKey] },
      // Its bucket admits one call a minute.
      { expected: [429, 200], mostly: 429 },
    ),
  ],
};

const KEYS_COUNTED = 2000;
const CALLS_COUNTED = 20_000;

const badKeys = {
  name: 'bad-keys',
  title: 'A flood of bad keys',
  baseline: 'bare',
  ...saturation,
  variants: () => [
    bareRefusal,
    svc(
      'one-key',
      'Svc, one unknown key',
      { apiKeys: ['svc_sk_unknown-key-of-a-flood'] },
      { expected: [401] },
    ),
    svc(
      'different-keys',
      'Svc, a different unknown key each',
      { apiKeys: ['svc_sk_unknown-key-{{unique..}}'] },
      { expected: [401], unique: true },
    ),
  ],
  async finish(world, rows) {
    const apiKeys = Array.from({ length: KEYS_COUNTED }, (_, at) => `svc_sk_unknown-key-of-many-${at}`);
    const running = await world.runningOf('svc');
    await pause(STATISTICS_DELAY_MS);
    const before = await transactions(world);
    const { failure, errors } = await world.load.run({
      port: running.port,
      requests: await world.requestsOf('svc', { ...call, apiKeys }),
      connections: 64,
      callsMax: CALLS_COUNTED,
      expected: [401],
    });
    if (failure !== null || errors > 0) throw new Error(failure ?? 'a bad key was not refused');
    await pause(STATISTICS_DELAY_MS);
    const perKey = ((await transactions(world)) - before) / KEYS_COUNTED;
    return [
      ...rows,
      {
        name: 'counted',
        label: `Svc, ${CALLS_COUNTED} calls with ${KEYS_COUNTED} unknown keys`,
        figures: { transactionsPerKey: { median: perKey, min: perKey, max: perKey } },
        ratios: {},
      },
    ];
  },
  promises: (rows) => [
    {
      promise: 'refusals of one key by a core, of the bare server’s',
      value: ratio(rows, 'one-key', 'callsPerCoreSecond'),
      atLeast: 0.8,
    },
    {
      promise: 'refusals of different keys by a core, of the bare server’s',
      value: ratio(rows, 'different-keys', 'callsPerCoreSecond'),
      atLeast: 0.8,
    },
    {
      promise: 'transactions a key, background work included',
      value: figure(rows, 'counted', 'transactionsPerKey'),
      atMost: 1.02,
    },
  ],
};

async function transactions({ installation: { database } }) {
  const query = `SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()`;
  const { rows } = await database.query(query);
  return Number(rows[0].count);
}

const hotOrganization = {
  name: 'hot-organization',
  title: 'One organization against a thousand',
  baseline: 'thousand',
  ...saturation,
  variants: ({ installation }) => [
    svc('thousand', 'Svc, 1,000 organizations in turn', { apiKeys: installation.organizationKeys }),
    svc('hot', 'Svc, one organization'),
  ],
  promises: (rows) => [
    {
      promise: 'calls a second of one wallet, of a thousand wallets’',
      value: ratio(rows, 'hot', 'callsPerSecond'),
      atLeast: 0.8,
    },
  ],
};

export const policyScenarios = [replay, rejectedByLimit, badKeys, hotOrganization];
