import { type Client } from 'pg';
import { findWorkspace, readMigrations } from '../migrations/migration-files';
import { openTestDatabase, type TestDatabase } from '../testing';
import { liveObjects, loadSql } from './load-sql';
import { isNamedAfterItsObject, objectsIn, readSqlFiles } from './sql-files';

const workspace = findWorkspace(__dirname);
const files = readSqlFiles(workspace);
/** Functions that an index, a partition or a check uses, which never change. */
const madeByMigrations = readMigrations(workspace).flatMap(({ sql }) =>
  Array.from(sql.matchAll(/^CREATE FUNCTION (\w+)/gm), ([, name = '']) => `function ${name}`),
);

let test: TestDatabase;
let client: Client;
beforeAll(async () => {
  test = await openTestDatabase();
  client = await test.database.connectAlone();
});
afterAll(() => test.close());

/** The objects as PostgreSQL prints them. */
const definitions = async (): Promise<readonly unknown[]> => {
  const { rows } = await client.query<object>(`
    SELECT pg_get_functiondef(oid) AS definition FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT pg_get_viewdef(oid) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`);
  return rows;
};

describe('the SQL of the database', () => {
  it('has a file for each function, view and trigger, and no file for what is gone', async () => {
    const made = files.flatMap((file) => objectsIn(file));
    expect(madeByMigrations).toEqual([
      'function request_id_at',
      'function parked_message_id',
      'function follows_transfer_rules',
    ]);
    expect([...new Set([...made, ...madeByMigrations])].sort()).toEqual(
      [...(await liveObjects(client))].sort(),
    );
  });

  it('is what the files say, to the letter, in whatever order they are loaded', async () => {
    const before = await definitions();
    for (const ordered of [files, [...files].reverse()]) {
      await client.query('BEGIN');
      await loadSql(client, ordered);
      const after = await definitions();
      await client.query('ROLLBACK');
      expect(after).toEqual(before);
    }
  });

  it('is found by its name', () => {
    expect(files.filter((file) => !isNamedAfterItsObject(file))).toEqual([]);
  });
});

describe('a change', () => {
  it.each([
    ['ledger/lock_wallets.sql', 'FOR NO KEY UPDATE SKIP LOCKED', 'FOR UPDATE SKIP LOCKED'],
    ['budgets/budget_drift.sql', "WHERE status = 'pending'", "WHERE status <> 'pending'"],
    ['deliveries/open_integration_lane.sql', 'AFTER UPDATE ON', 'AFTER INSERT OR UPDATE ON'],
  ])('of %s can be loaded over what is there', async (path, from, to) => {
    const { text } = files.find((file) => file.path === path)!;
    expect(text).toContain(from);
    // A trigger on insert has no OLD row for its condition.
    const changed = text.replace(from, to).replace(' WHEN (NEW.enabled AND NOT OLD.enabled)', '');
    const before = await definitions();
    await client.query('BEGIN');
    await loadSql(client, [{ path, text: changed }]);
    const after = await definitions();
    await client.query('ROLLBACK');
    expect(
      after.filter((each) => !before.some((other) => JSON.stringify(other) === JSON.stringify(each))),
    ).toHaveLength(1);
  });

  it('that PostgreSQL cannot take is refused', async () => {
    const broken = { path: 'ledger/broken.sql', text: 'CREATE VIEW broken AS SELECT nothing FROM nowhere;' };
    await client.query('BEGIN');
    await expect(loadSql(client, [broken])).rejects.toThrow('nowhere');
    await client.query('ROLLBACK');
  });
});
