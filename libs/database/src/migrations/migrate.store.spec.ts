import { randomUUID } from 'node:crypto';
import { eventually } from '@svc/testing';
import { openTestDatabase, type TestDatabase } from '../testing';
import { withClient } from './client';
import { migrate, readSchema } from './migrate';

const schema = readSchema();
let server: TestDatabase;
let url: string;
beforeAll(async () => {
  server = await openTestDatabase();
});
afterAll(() => server.close());

const nameOf = (of: string): string => new URL(of).pathname.slice(1);
/** A database that is not there yet, for each test. */
beforeEach(() => {
  const named = new URL(server.url);
  named.pathname = `/svc_migrate_${randomUUID().replaceAll('-', '')}`;
  url = named.href;
});
afterEach(() => server.database.background.query(`DROP DATABASE IF EXISTS ${nameOf(url)} WITH (FORCE)`));

type Changes = Partial<typeof schema>;
/** @returns the lines that it printed. */
async function run(changes: Changes = {}, lines: string[] = []): Promise<readonly string[]> {
  await migrate(url, { onLine: (line) => lines.push(line), schema: { ...schema, ...changes } });
  return lines;
}
async function rowsOf(sql: string): Promise<readonly unknown[]> {
  let rows: readonly unknown[] = [];
  await withClient(url, async (client) => {
    ({ rows } = await client.query<object>(sql));
  });
  return rows;
}

const TABLE = { name: '1_notes', sql: 'CREATE TABLE notes (id int)' };
const counting = (body: string) => ({
  path: 'notes/count_notes.sql',
  text: `CREATE OR REPLACE FUNCTION count_notes() RETURNS bigint LANGUAGE sql AS $$ ${body} $$`,
});
const ALL = counting('SELECT count(*) FROM notes');
const MINUS_ONE = counting('SELECT -1::bigint');
const count = async () => (await rowsOf('SELECT count_notes()::int AS count'))[0];

describe('migrating', () => {
  it('makes the database and all that is in it, and a second time does nothing', async () => {
    const lines = await run();
    expect(lines[0]).toBe(`applied ${schema.migrations[0]!.name}`);
    expect(lines).toHaveLength(schema.migrations.length + schema.files.length);
    expect(await run()).toEqual([]);
    expect(await rowsOf('SELECT * FROM ledger_entries')).toEqual([]);
  });

  it('applies what came since, in order, and is taken up where it failed', async () => {
    await run({ migrations: [TABLE], files: [] });
    const broken = {
      name: '3_more',
      sql: 'ALTER TABLE notes ADD COLUMN more int; SELECT nothing FROM nowhere',
    };
    const column = { name: '2_text', sql: 'ALTER TABLE notes ADD COLUMN text text' };
    const lines: string[] = [];
    const failed = run({ migrations: [TABLE, column, broken], files: [ALL] }, lines);
    await expect(failed).rejects.toThrow('nowhere');
    expect(lines).toEqual(['applied 2_text']);
    const mended = { ...broken, sql: 'ALTER TABLE notes ADD COLUMN more int' };
    expect(await run({ migrations: [TABLE, column, mended], files: [ALL] })).toEqual([
      'applied 3_more',
      'loaded notes/count_notes.sql',
    ]);
  });

  it('commits the last migration with its functions, or neither', async () => {
    const failed = run({ migrations: [TABLE], files: [counting('SELECT count(*) FROM others')] });
    await expect(failed).rejects.toThrow('others');
    expect(await rowsOf(`SELECT to_regclass('notes') AS made`)).toEqual([{ made: null }]);
    expect(await run({ migrations: [TABLE], files: [ALL] })).toHaveLength(2);
  });

  it('loads a function again when its text has changed, and no other', async () => {
    const other = { path: 'notes/a.sql', text: 'CREATE OR REPLACE VIEW a AS SELECT count_notes() AS one' };
    await run({ migrations: [TABLE], files: [other, ALL] });
    expect(await count()).toEqual({ count: 0 });
    const lines = await run({ migrations: [TABLE], files: [other, MINUS_ONE] });
    expect(lines).toEqual(['loaded notes/count_notes.sql']);
    expect(await count()).toEqual({ count: -1 });
    expect(await run({ migrations: [TABLE], files: [other, ALL] })).toHaveLength(1);
    expect(await count()).toEqual({ count: 0 });
  });

  it('loads again what a migration dropped', async () => {
    await run({ migrations: [TABLE], files: [ALL] });
    const drop = { name: '2_drop', sql: 'DROP FUNCTION count_notes' };
    await run({ migrations: [TABLE, drop], files: [ALL] });
    expect(await count()).toEqual({ count: 0 });
  });

  it('of an older version leaves what a newer one made', async () => {
    const column = { name: '2_text', sql: 'ALTER TABLE notes ADD COLUMN text text' };
    const older = { version: '1.9.0', migrations: [TABLE], files: [ALL] };
    await run(older);
    await run({ version: '1.10.0', migrations: [TABLE, column], files: [MINUS_ONE] });
    expect(await run(older)).toEqual([]);
    expect(await count()).toEqual({ count: -1 });
  });

  it('of several processes at once happens once, also of an index that is built CONCURRENTLY', async () => {
    await run({ migrations: [TABLE], files: [] });
    const index = { name: '2_notes_id', sql: '-- Why.\nCREATE INDEX CONCURRENTLY notes_id ON notes (id);' };
    const migrations = [TABLE, index];
    const lines = await Promise.all([1, 2, 3].map(() => run({ migrations, files: [ALL] })));
    expect(lines.flat().filter((line) => line.startsWith('applied'))).toEqual(['applied 2_notes_id']);
    expect(await count()).toEqual({ count: 0 });
  });

  it('waits for a process that migrates, and says so', async () => {
    await run({ migrations: [TABLE], files: [] });
    const lines: string[] = [];
    let waiting: Promise<unknown> | undefined;
    await withClient(url, async (client) => {
      await client.query('SELECT pg_advisory_lock(72707369)');
      waiting = run({ migrations: [TABLE], files: [ALL] }, lines);
      await eventually(() => {
        expect(lines).toEqual([expect.stringContaining('waits for another process')]);
      });
    });
    await waiting;
    expect(lines.at(-1)).toBe('loaded notes/count_notes.sql');
  });

  it('refuses a database from before the first release in one line that says what to do', async () => {
    await server.database.background.query(`CREATE DATABASE ${nameOf(url)}`);
    await rowsOf('CREATE TABLE _prisma_migrations (migration_name text)');
    await expect(run()).rejects.toThrow(
      /^This database was made before the first release, .+ name an empty database.*$/,
    );
    expect(await rowsOf(`SELECT to_regclass('wallets') AS made`)).toEqual([{ made: null }]);
  });

  it('says what went wrong, but not the password', async () => {
    const nowhere = new URL(url);
    nowhere.port = '1';
    nowhere.password = 'do-not-print';
    const failing = migrate(nowhere.href);
    await expect(failing).rejects.toThrow('ECONNREFUSED');
    await expect(failing).rejects.not.toThrow('do-not-print');
  });
});
