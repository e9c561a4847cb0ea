import { openTestDatabase, type TestDatabase } from '../testing';

// Starting and migrating a server takes seconds on a busy machine.
jest.setTimeout(60_000);

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

it('no statement is compiled, whichever way it comes', async () => {
  const { pool, prisma, connectAlone } = test.database;
  const alone = await connectAlone();
  expect((await pool.query('SHOW jit')).rows).toEqual([{ jit: 'off' }]);
  expect((await alone.query('SHOW jit')).rows).toEqual([{ jit: 'off' }]);
  expect(await prisma.$queryRaw`SHOW jit`).toEqual([{ jit: 'off' }]);
});
