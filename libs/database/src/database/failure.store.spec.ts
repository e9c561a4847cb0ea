import { GatewayError } from '@svc/kernel';
import { failureKind, refusalFor } from './failure';
import { DistantDatabase, failureOf } from './testing/distant-database';

let distant: DistantDatabase;
beforeEach(async () => {
  distant = await DistantDatabase.open();
});
afterEach(() => distant.close());

describe('a server that falls silent', () => {
  it('is asked again once it answers', async () => {
    distant.proxy.silence();
    await distant.askAll();
    distant.proxy.resume();
    for (const answer of await distant.askAll()) expect(refusalFor(answer)).toBe(answer);
  });
});

it('a server that is gone is a 503, whoever asks', async () => {
  await distant.proxy.close();
  for (const failure of await distant.askAll()) {
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
  expect(failureKind(await failureOf(() => distant.database.pool.query(sql)))).toBe(kind);
  expect(failureKind(await failureOf(() => distant.database.prisma.$executeRawUnsafe(sql)))).toBe(kind);
});

it('a failure of another kind stays what it is', () => {
  for (const error of [new Error('no'), new TypeError('no'), new GatewayError('notFound', 'No.'), null]) {
    expect(refusalFor(error)).toBe(error);
  }
});

it.each(['pool', 'books', 'booksAside', 'background'] as const)(
  'every wait on %s has a bound',
  async (name) => {
    const { rows } = await distant.database[name].query<{ name: string; setting: string }>(
      `SELECT name, setting FROM pg_settings
     WHERE name IN ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout')`,
    );
    expect(rows).toHaveLength(3);
    for (const { setting } of rows) expect(Number(setting)).toBeGreaterThan(0);
  },
);
