import { openTestDatabase, startSilentProxy, type SilentProxy, type TestDatabase } from '../testing';
import { type Database, openDatabase } from './database';
import { refusalFor } from './failure';
import { prismaOf, type Transaction, UnitOfWork } from './unit-of-work';

/** The promise is 5 s. Two waits in sequence would take at least 7 s. */
const REFUSED_WITHIN_MS = 6_500;

let test: TestDatabase;
let proxy: SilentProxy;
let database: Database;
beforeEach(async () => {
  test = await openTestDatabase();
  proxy = await startSilentProxy(test.url);
  database = openDatabase({ url: proxy.url, poolSize: 2 });
  await database.prisma.organization.count();
});
afterEach(async () => {
  proxy.resume();
  await database.close();
  await proxy.close();
  await test.close();
});

const write = (tx: Transaction) => prismaOf(tx).organization.create({ data: { id: 'org_1', name: 'Acme' } });
const silence = () => {
  proxy.silence('both');
};
const writeAndRead = async (tx: Transaction) => {
  await write(tx);
  silence();
  await prismaOf(tx).organization.count();
};
const moments: [string, () => void, (tx: Transaction) => Promise<unknown>, readonly number[]][] = [
  ['before it begins', silence, write, [0]],
  ['in its middle', () => undefined, writeAndRead, [0]],
  // The commit is sent, and may or may not arrive.
  ['before its end', () => undefined, (tx) => write(tx).then(silence), [0, 1]],
];

it.each(moments)(
  'a transaction whose database falls silent %s is refused after one wait',
  async (_, before, work, written) => {
    before();
    const begunAt = performance.now();
    const failure = await new UnitOfWork(database).transaction(work).then(
      () => null,
      (error: unknown) => error,
    );
    expect(performance.now() - begunAt).toBeLessThan(REFUSED_WITHIN_MS);
    expect(refusalFor(failure)).toMatchObject({ reason: 'overloaded' });
    proxy.resume();
    expect(written).toContain(
      await new UnitOfWork(database).transaction((tx) => prismaOf(tx).organization.count()),
    );
  },
);
