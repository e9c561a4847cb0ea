import { GatewayError } from '@svc/kernel';
import { openTestDatabase, startSilentProxy, type SilentProxy, type TestDatabase } from '../testing';
import { openDatabase, type Database } from './database';
import { failureKind, refusalFor } from './failure';
import { prismaOf, UnitOfWork } from './unit-of-work';

/** A caller is promised an answer within 5 s. */
const PROMISED_MS = 5_000;

let test: TestDatabase;
let proxy: SilentProxy;
let database: Database;
beforeEach(async () => {
  test = await openTestDatabase();
  proxy = await startSilentProxy(test.url);
  database = openDatabase({ url: proxy.url, poolSize: 2 });
});
afterEach(async () => {
  proxy.resume();
  await database.close();
  await proxy.close();
  await test.close();
});

const failureOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    return error;
  }
};

/** How services query the database. */
const ways: Record<string, () => Promise<unknown>> = {
  'a statement': () => database.pool.query('SELECT 1'),
  'a booking': () => database.books.query('SELECT 1'),
  'a Prisma query': () => database.prisma.organization.count(),
  'a raw Prisma query': () => database.prisma.$queryRaw`SELECT 1`,
  'a transaction': () => new UnitOfWork(database).transaction((tx) => prismaOf(tx).organization.count()),
};

const askAll = () => Promise.all(Object.values(ways).map((ask) => failureOf(ask)));

describe('a server that falls silent', () => {
  it.each(['idle', 'new'])('on %s connections is a 503 within 5 s, whoever asks', async (kind) => {
    if (kind === 'idle') await askAll();
    proxy.silence();
    const startedAt = performance.now();
    const failures = await askAll();
    expect(performance.now() - startedAt).toBeLessThan(PROMISED_MS);
    for (const failure of failures) {
      expect(failureKind(failure)).toBe('connection');
      expect(refusalFor(failure)).toMatchObject({ reason: 'overloaded', cause: failure });
    }
  });

  it('is asked again once it answers', async () => {
    proxy.silence();
    await askAll();
    proxy.resume();
    for (const answer of await askAll()) expect(refusalFor(answer)).toBe(answer);
  });
});

it('a server that is gone is a 503, whoever asks', async () => {
  await proxy.close();
  for (const failure of await askAll()) {
    expect(failureKind(failure)).toBe('connection');
    expect(refusalFor(failure)).toMatchObject({ reason: 'overloaded' });
  }
});

it.each([
  ['data', 'SELECT 1/0'],
  ['data', `INSERT INTO wallets (organization_id) VALUES ('org_none')`],
  ['other', 'SELECT * FROM no_such_table'],
  ['other', `DO $$ BEGIN RAISE EXCEPTION 'cancelled' USING ERRCODE = '57014'; END $$`],
  ['conflict', `DO $$ BEGIN RAISE EXCEPTION 'locked' USING ERRCODE = '55P03'; END $$`],
  ['connection', `DO $$ BEGIN RAISE EXCEPTION 'shutting down' USING ERRCODE = '57P01'; END $$`],
])('a %s failure is told by its SQLSTATE, through pg and through Prisma: %s', async (kind, sql) => {
  expect(failureKind(await failureOf(() => database.pool.query(sql)))).toBe(kind);
  expect(failureKind(await failureOf(() => database.prisma.$executeRawUnsafe(sql)))).toBe(kind);
});

it('a failure of another kind stays what it is', () => {
  for (const error of [new Error('no'), new TypeError('no'), new GatewayError('notFound', 'No.'), null]) {
    expect(refusalFor(error)).toBe(error);
  }
});

it.each(['pool', 'books', 'booksAside', 'background'] as const)(
  'every wait on %s has a bound',
  async (name) => {
    const { rows } = await database[name].query<{ name: string; setting: string }>(
      `SELECT name, setting FROM pg_settings
     WHERE name IN ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout')`,
    );
    expect(rows).toHaveLength(3);
    for (const { setting } of rows) expect(Number(setting)).toBeGreaterThan(0);
  },
);
