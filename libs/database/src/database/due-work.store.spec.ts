import { type Pool } from 'pg';
import { openTestDatabase, type TestDatabase } from '../testing';
import { DueWork } from './due-work';

let test: TestDatabase;
let texts: string[];
let nowMs: number;
let dueWork: DueWork;
beforeAll(async () => {
  test = await openTestDatabase();
  await test.database.pool.query('CREATE TABLE errands (kind text NOT NULL)');
});
afterAll(() => test.close());
beforeEach(async () => {
  await test.database.pool.query('TRUNCATE errands');
  texts = [];
  nowMs = 1_000;
  const query = (statement: { text: string }) => {
    texts.push(statement.text);
    return test.database.background.query(statement);
  };
  dueWork = new DueWork({ query } as unknown as Pool, () => nowMs);
});

const of = (...kinds: readonly string[]) =>
  dueWork.of(...kinds.map((kind) => `FROM errands WHERE kind = '${kind}'`));
const add = (kind: string) => test.database.pool.query('INSERT INTO errands VALUES ($1)', [kind]);

it('tells of each kind of work whether any of it is due', async () => {
  const [mails, exports, either] = [of('mail'), of('export'), of('mail', 'export')];
  await add('export');
  expect(await Promise.all([mails(), exports(), either()])).toEqual([false, true, true]);
});

it('asks once for all who ask within a fifth of a second, and then again', async () => {
  const [mails, exports] = [of('mail'), of('export')];
  await Promise.all([mails(), exports()]);
  nowMs += 199;
  await mails();
  expect(texts).toHaveLength(1);
  await add('mail');
  nowMs += 1;
  expect(await mails()).toBe(true);
  expect(texts).toHaveLength(2);
});

it('asks at once for a kind that an earlier look did not know', async () => {
  await of('mail')();
  await add('export');
  expect(await of('export')()).toBe(true);
});

it('knows a kind that several ask for once', async () => {
  const [first, second] = [of('mail'), of('mail')];
  await Promise.all([first(), second()]);
  expect(texts).toEqual([`SELECT ARRAY[EXISTS (SELECT FROM errands WHERE kind = 'mail')] AS due`]);
});

it('fails all who ask while PostgreSQL does not answer, and asks again later', async () => {
  const isDue = of('mail');
  await test.database.pool.query('ALTER TABLE errands RENAME TO hidden');
  await expect(Promise.all([isDue(), isDue()])).rejects.toThrow('errands');
  await test.database.pool.query('ALTER TABLE hidden RENAME TO errands');
  nowMs += 200;
  expect(await isDue()).toBe(false);
});
