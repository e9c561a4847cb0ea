import { setTimeout as pause } from 'node:timers/promises';
import { type Database } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemIds } from '@svc/runtime';
import { createLogger } from '@svc/runtime/observability';
import { eventually, FakeClock } from '@svc/testing';
import { KeyUseRecorder } from './key-use-recorder';

const logger = createLogger({ service: 'test', level: 'silent' });
const organizationId = systemIds('organization');

let test: TestDatabase;
/** Statements that reached the pool. */
let statements: number;
let isDatabaseAway: boolean;
let database: Database;
beforeAll(async () => {
  test = await openTestDatabase();
  await test.database.prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
});
afterAll(() => test.close());
beforeEach(() => {
  statements = 0;
  isDatabaseAway = false;
  const query = (statement: { text: string; values: unknown[] }) => {
    statements++;
    return isDatabaseAway
      ? Promise.reject(new Error('the database is away'))
      : test.database.pool.query(statement.text, statement.values);
  };
  database = { ...test.database, pool: { query } as unknown as Database['pool'] };
});

const addKey = async (lastUsedAt: Date | null = null): Promise<string> => {
  const id = systemIds('apiKey');
  const secretSha256 = crypto.getRandomValues(new Uint8Array(32));
  await test.database.prisma.apiKey.create({
    data: { id, organizationId, name: 'k', prefix: 'svc_sk_', secretSha256, scopes: [], lastUsedAt },
  });
  return id;
};
const lastUse = async (id: string) =>
  (await test.database.prisma.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt?.getTime() ?? null;

describe('the uses of API keys', () => {
  it('are written together in one statement, each key’s last', async () => {
    const clock = new FakeClock();
    const recorder = new KeyUseRecorder({ database, logger, clock });
    const [a, b, unused] = [await addKey(), await addKey(), await addKey()];
    for (const key of [a, b, a]) {
      clock.advance(1_000);
      recorder.note(key);
    }
    await recorder.stop();
    expect(statements).toBe(1);
    expect(await lastUse(a)).toBe(clock.now());
    expect(await lastUse(b)).toBe(clock.now() - 1_000);
    expect(await lastUse(unused)).toBeNull();
  });

  it('are written soon after a quiet time, then once in an interval, and not at all where there are none', async () => {
    const recorder = new KeyUseRecorder({ database, logger, writeEveryMs: 100 });
    const key = await addKey();
    const startedAtMs = performance.now();
    recorder.note(key);
    await eventually(async () => expect(await lastUse(key)).not.toBeNull());
    do {
      recorder.note(key);
      await pause(5);
    } while (performance.now() - startedAtMs < 350);
    await recorder.stop();
    expect(statements).toBeGreaterThanOrEqual(2);
    expect(statements).toBeLessThanOrEqual(5);
    const before = statements;
    await pause(150);
    expect(statements).toBe(before);
  });

  it('never go back in time, whichever process writes last', async () => {
    const clock = new FakeClock();
    const later = new Date(clock.now() + 5_000);
    const key = await addKey(later);
    const recorder = new KeyUseRecorder({ database, logger, clock });
    recorder.note(key);
    await recorder.stop();
    expect(await lastUse(key)).toBe(later.getTime());
  });

  it('of many processes that write the same keys at once are all written', async () => {
    const keys = await Promise.all(Array.from({ length: 50 }, () => addKey()));
    const clock = new FakeClock();
    const recorders = Array.from({ length: 6 }, (_, at) => {
      const recorder = new KeyUseRecorder({ database, logger, clock });
      clock.advance(1);
      for (const key of at % 2 === 0 ? keys : keys.toReversed()) recorder.note(key);
      return recorder;
    });
    await Promise.all(recorders.map((recorder) => recorder.stop()));
    expect(await Promise.all(keys.map(lastUse))).toEqual(keys.map(() => clock.now()));
  });

  it('are kept while the database is away, and written when it is back', async () => {
    const clock = new FakeClock();
    const recorder = new KeyUseRecorder({ database, logger, clock, writeEveryMs: 20 });
    const [early, late] = [await addKey(), await addKey()];
    isDatabaseAway = true;
    recorder.note(early);
    recorder.note(late);
    await eventually(() => expect(statements).toBeGreaterThan(0));
    clock.advance(7);
    recorder.note(late);
    isDatabaseAway = false;
    await eventually(async () => expect(await lastUse(early)).toBe(clock.now() - 7));
    expect(await lastUse(late)).toBe(clock.now());
    await recorder.stop();
  });

  it('do not touch what else is known of the key', async () => {
    const key = await addKey();
    const before = await test.database.prisma.apiKey.findUniqueOrThrow({ where: { id: key } });
    const recorder = new KeyUseRecorder({ database, logger });
    recorder.note(key);
    recorder.note(systemIds('apiKey'));
    await recorder.stop();
    const { lastUsedAt, ...after } = await test.database.prisma.apiKey.findUniqueOrThrow({
      where: { id: key },
    });
    expect({ ...after, lastUsedAt: null }).toEqual(before);
    expect(lastUsedAt).not.toBeNull();
  });
});
