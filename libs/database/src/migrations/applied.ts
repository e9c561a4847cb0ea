import { type Client, DatabaseError, type QueryConfig } from 'pg';
import { type SqlFile } from '../sql-home/sql-file';
import { textHash } from '../sql-home/load-sql';

/** Migrations and files that a database has. */
export interface Applied {
  /** Of migrations. */
  readonly names: ReadonlySet<string>;
  /** SHA-256 of the text of each file of `sql/`, by its path. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Versions that loaded them. */
  readonly versions: ReadonlySet<string>;
}

const UNDEFINED_TABLE = '42P01';
/** Its timeout: else a server that accepts connections but never answers would block a start for good. */
const WHAT_IS_APPLIED: QueryConfig & { readonly query_timeout: number } = {
  text: `SELECT 'migration' AS kind, name, '' AS sha256, '' AS version FROM applied_migrations
         UNION ALL SELECT 'file', path, sha256, version FROM loaded_sql_files`,
  query_timeout: 5_000,
};

interface Row {
  readonly kind: 'migration' | 'file';
  readonly name: string;
  readonly sha256: string;
  readonly version: string;
}

/** @throws DatabaseError when the account may not read it. */
export async function readApplied(client: Client): Promise<Applied> {
  const rows = await rowsOf(client);
  const files = rows.filter(({ kind }) => kind === 'file');
  return {
    names: new Set(rows.filter(({ kind }) => kind === 'migration').map(({ name }) => name)),
    hashes: new Map(files.map(({ name, sha256 }) => [name, sha256])),
    versions: new Set(files.map(({ version }) => version)),
  };
}

async function rowsOf(client: Client): Promise<readonly Row[]> {
  try {
    return (await client.query<Row>(WHAT_IS_APPLIED)).rows;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNDEFINED_TABLE) return [];
    throw error;
  }
}

/**
 * Makes the tables that say what is applied.
 * @throws Error in one line for a database that was made before the first release, when Prisma's table said it.
 */
export async function makeRecords(client: Client): Promise<void> {
  const { rowCount } = await client.query(`SELECT WHERE to_regclass('_prisma_migrations') IS NOT NULL`);
  if (rowCount !== 0) {
    throw new Error(
      'This database was made before the first release, whose migrations are one now: name an empty database, or move the data folder away.',
    );
  }
  await client.query(`
    CREATE TABLE IF NOT EXISTS applied_migrations (
      name TEXT PRIMARY KEY,
      applied_at TIMESTAMPTZ(3) NOT NULL DEFAULT now()
    );
    CREATE TABLE IF NOT EXISTS loaded_sql_files (
      path TEXT PRIMARY KEY,
      sha256 TEXT NOT NULL,
      version TEXT NOT NULL,
      loaded_at TIMESTAMPTZ(3) NOT NULL DEFAULT now()
    )`);
}

export async function recordMigration(client: Client, name: string): Promise<void> {
  await client.query('INSERT INTO applied_migrations (name) VALUES ($1)', [name]);
}

/** @param version of the build that loaded them. */
export async function recordFiles(client: Client, files: readonly SqlFile[], version: string): Promise<void> {
  await client.query(
    `INSERT INTO loaded_sql_files (path, sha256, version) SELECT path, sha256, $3 FROM unnest($1::text[], $2::text[]) AS f (path, sha256)
     ON CONFLICT (path) DO UPDATE SET sha256 = EXCLUDED.sha256, version = EXCLUDED.version, loaded_at = now()`,
    [files.map(({ path }) => path), files.map(textHash), version],
  );
}
