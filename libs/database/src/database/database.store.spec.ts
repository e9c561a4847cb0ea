import { openDatabase } from './database';
import { openTestDatabase, type TestDatabase } from '../testing';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

it('no statement is compiled, whichever way it comes', async () => {
  const { pool, books, prisma, connectAlone } = test.database;
  const alone = await connectAlone();
  expect((await pool.query('SHOW jit')).rows).toEqual([{ jit: 'off' }]);
  expect((await books.query('SHOW jit')).rows).toEqual([{ jit: 'off' }]);
  expect((await alone.query('SHOW jit')).rows).toEqual([{ jit: 'off' }]);
  expect(await prisma.$queryRaw`SHOW jit`).toEqual([{ jit: 'off' }]);
});

it('settings of the operator’s URL are kept', async () => {
  const url = new URL(test.url);
  url.searchParams.set('options', '-c statement_timeout=7s');
  const database = openDatabase({ url: url.href, poolSize: 1 });
  const settings = `SELECT current_setting('statement_timeout') AS timeout, current_setting('jit') AS jit`;
  expect((await database.pool.query(settings)).rows).toEqual([{ timeout: '7s', jit: 'off' }]);
  await database.close();
});
