import { createHash } from 'node:crypto';
import { type Client, DatabaseError } from 'pg';
import { type SqlFile } from './sql-file';
import { objectsIn } from './sql-files';

/** Errors of a file that needs another that comes later: an unknown function, table or view. */
const NOT_YET_THERE: ReadonlySet<string | undefined> = new Set(['42883', '42P01', '42704']);

/** Functions, views and triggers of the database by kind and name: `function book_calls`, once for all overloads. */
export async function liveObjects(client: Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ object: string }>(`
    SELECT 'function ' || p.proname AS object FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    UNION SELECT 'view ' || relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'
    UNION SELECT 'trigger ' || t.tgname || ' on ' || c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND c.relnamespace = 'public'::regnamespace`);
  return new Set(rows.map(({ object }) => object));
}

/**
 * Loads these files in whatever order they need each other. Its caller has begun a transaction.
 * @throws DatabaseError for a file that PostgreSQL refuses.
 */
export async function loadSql(client: Client, files: readonly SqlFile[]): Promise<void> {
  const left: SqlFile[] = [];
  let reason: unknown;
  for (const file of files) {
    await client.query('SAVEPOINT before_file');
    try {
      await client.query(file.text);
    } catch (error) {
      if (!(error instanceof DatabaseError && NOT_YET_THERE.has(error.code))) throw error;
      await client.query('ROLLBACK TO SAVEPOINT before_file');
      left.push(file);
      reason ??= error;
    }
  }
  if (left.length === 0) return;
  if (left.length === files.length) throw reason;
  await loadSql(client, left);
}

/** SHA-256 in hex: by it the database knows which text of a file it has. */
export const textHash = ({ text }: SqlFile): string => createHash('sha256').update(text).digest('hex');

/** True where all that the file creates is in the database: a migration may have dropped it. */
export const isLive = (file: SqlFile, live: ReadonlySet<string>): boolean =>
  objectsIn(file).every((object) => live.has(object));
