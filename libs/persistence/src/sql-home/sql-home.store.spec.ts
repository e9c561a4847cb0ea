import { type Client } from 'pg';
import { findWorkspace } from '../migrations/migrate';
import { openTestDatabase, type TestDatabase } from '../testing';
import { changedFiles, liveObjects } from './live-sql';
import { isNamedAfterItsObject, objectsIn, readSqlFiles, type SqlFile } from './sql-files';
import { migrationOf } from './write-migration';

const files = readSqlFiles(findWorkspace(__dirname));
const fileAt = (path: string): SqlFile => files.find((file) => file.path === path)!;

let test: TestDatabase;
let client: Client;
beforeAll(async () => {
  test = await openTestDatabase();
  client = await test.database.connectAlone();
});
afterAll(() => test.close());

describe('the SQL of the database', () => {
  it('has a file for each function, view and trigger, and no file for what is gone', async () => {
    const made = files.flatMap((file) => objectsIn(file));
    expect([...new Set(made)].sort()).toEqual([...(await liveObjects(client))].sort());
  });

  it('is what the files say, to the letter', async () => {
    expect((await changedFiles(client, files)).map(({ path }) => path)).toEqual([]);
  });

  it('is found by its name', () => {
    expect(files.filter((file) => !isNamedAfterItsObject(file))).toEqual([]);
  });
});

describe('a change', () => {
  it.each([
    ['ledger/lock_wallets.sql', 'FOR NO KEY UPDATE SKIP LOCKED', 'FOR UPDATE SKIP LOCKED'],
    ['budgets/budget_drift.sql', "WHERE status = 'pending'", "WHERE status <> 'pending'"],
    ['webhooks/open_lane.sql', 'AFTER UPDATE ON', 'AFTER INSERT OR UPDATE ON'],
  ])('of %s is seen, and the next migration makes it', async (path, from, to) => {
    const file = fileAt(path);
    expect(file.text).toContain(from);
    // A trigger on insert has no OLD row for its condition.
    const text = file.text.replace(from, to).replace(' WHEN (NEW.enabled AND NOT OLD.enabled)', '');
    const edited = files.map((each) => (each === file ? { path, text } : each));
    const changed = await changedFiles(client, edited);
    expect(changed).toEqual([{ path, text }]);

    await client.query('BEGIN');
    await client.query(migrationOf(changed));
    await client.query('SAVEPOINT made');
    const left = await changedWithin(edited);
    await client.query('ROLLBACK');
    expect(left).toEqual([]);
  });

  it('that PostgreSQL cannot take is refused, and changes nothing', async () => {
    const broken = {
      path: 'ledger/broken.sql',
      text: 'CREATE OR REPLACE VIEW broken AS SELECT nothing FROM nowhere;',
    };
    await expect(changedFiles(client, [broken])).rejects.toThrow('nowhere');
    expect(await changedFiles(client, files)).toEqual([]);
  });
});

/** As `changedFiles`, within the transaction of the spec. */
async function changedWithin(edited: readonly SqlFile[]): Promise<readonly SqlFile[]> {
  const nested = Object.assign(Object.create(client) as Client, {
    query: (text: string) =>
      client.query(text === 'BEGIN' ? 'SAVEPOINT nested' : text === 'ROLLBACK' ? 'ROLLBACK TO nested' : text),
  });
  return changedFiles(nested, edited);
}
