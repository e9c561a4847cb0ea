import { emptyTestDatabase } from './empty-test-database';
import { type TestDatabase } from './open-test-database';

const ROWS = `
  SELECT (SELECT sum(last_number) FROM receipt_counters)::int AS receipts,
         (SELECT count(*) FROM incident_watch)::int AS watches`;
const rowsOf = ({ database }: TestDatabase) => database.background.query(ROWS);

it('has the rows of a new database again, whatever the test before did', async () => {
  const first = await emptyTestDatabase();
  const rows = await rowsOf(first);
  await first.database.background.query('UPDATE receipt_counters SET last_number = last_number + 7');
  await first.database.background.query('DELETE FROM incident_watch');
  await first.close();

  const second = await emptyTestDatabase();
  expect(second.url).toBe(first.url);
  expect(await rowsOf(second)).toEqual(rows);
  await second.close();
});

it('is another one while a test has it', async () => {
  const [one, another] = [await emptyTestDatabase(), await emptyTestDatabase()];
  expect(another.url).not.toBe(one.url);
  expect(await rowsOf(another)).toEqual(await rowsOf(one));
  await Promise.all([one.close(), another.close()]);
});
