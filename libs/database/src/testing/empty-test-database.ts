import { openTestDatabase, type TestDatabase } from './open-test-database';

const TABLES = `SELECT oid::regclass AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;

/** What a new database has in its tables, beside them. */
const KEEP_FIRST_ROWS = `
  CREATE SCHEMA first_rows;
  DO $$
  DECLARE
    "table" record;
    has_rows boolean;
  BEGIN
    FOR "table" IN ${TABLES} LOOP
      EXECUTE format('SELECT EXISTS (SELECT FROM ONLY %s)', "table".name) INTO has_rows;
      IF has_rows THEN
        EXECUTE format('CREATE TABLE first_rows.%s AS TABLE public.%1$s', "table".name);
      END IF;
    END LOOP;
  END $$`;

/** As a replica: no trigger refuses or adds a row, and tables need no order. */
const RESTORE_FIRST_ROWS = `
  DO $$
  DECLARE "table" record;
  BEGIN
    SET LOCAL session_replication_role = replica;
    FOR "table" IN ${TABLES} LOOP
      EXECUTE format('DELETE FROM ONLY %s', "table".name);
      IF to_regclass(format('first_rows.%s', "table".name)) IS NOT NULL THEN
        EXECUTE format('INSERT INTO %s TABLE first_rows.%1$s', "table".name);
      END IF;
    END LOOP;
  END $$`;

/** Those that no test of this spec file has at the moment. */
const free: TestDatabase[] = [];
// Programs that measure load this too.
if ('afterAll' in globalThis)
  afterAll(async () => {
    await Promise.all(free.splice(0).map((each) => each.close()));
  });

/**
 * A database as {@link openTestDatabase} makes it, for each test of a file: the one of the test before, with its rows as at
 * first. That takes 3 ms, and a new one with its connections a quarter of a second. Not for tests that change tables or
 * roles, leave a lock to a connection, or close it.
 */
export async function emptyTestDatabase(): Promise<TestDatabase> {
  const test = free.pop() ?? (await newTestDatabase());
  return { ...test, close: () => giveBack(test) };
}

async function newTestDatabase(): Promise<TestDatabase> {
  const test = await openTestDatabase();
  await test.database.background.query(KEEP_FIRST_ROWS);
  return test;
}

async function giveBack(test: TestDatabase): Promise<void> {
  await test.database.background.query(RESTORE_FIRST_ROWS);
  free.push(test);
}
