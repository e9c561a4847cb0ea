import { type Client } from 'pg';
import { type SqlFile } from './sql-files';

/** Functions, views and triggers made by migrations, as PostgreSQL prints them, by kind, name and signature. */
type LiveSql = ReadonlyMap<string, string>;

const DEFINITIONS = `
  SELECT 'function ' || p.proname AS object, p.oid::regprocedure::text AS which, pg_get_functiondef(p.oid) AS definition
  FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  UNION ALL
  SELECT 'view ' || c.relname, c.relname, pg_get_viewdef(c.oid)
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'v'
  UNION ALL
  SELECT 'trigger ' || t.tgname || ' on ' || c.relname, '', pg_get_triggerdef(t.oid)
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND c.relnamespace = 'public'::regnamespace
  ORDER BY 1, 2`;

interface Row {
  readonly object: string;
  readonly which: string;
  readonly definition: string;
}

/** The kinds and names of these: `function book_calls`, once for all overloads. */
export async function liveObjects(client: Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<Row>(DEFINITIONS);
  return new Set(rows.map(({ object }) => object));
}

async function readLiveSql(client: Client): Promise<LiveSql> {
  const { rows } = await client.query<Row>(DEFINITIONS);
  return new Map(rows.map(({ object, which, definition }) => [`${object} ${which}`, definition]));
}

/**
 * The files that differ from the database. Changes nothing.
 * @throws DatabaseError for a file that PostgreSQL refuses.
 */
export async function changedFiles(client: Client, files: readonly SqlFile[]): Promise<readonly SqlFile[]> {
  const changed: SqlFile[] = [];
  await client.query('BEGIN');
  try {
    let before = await readLiveSql(client);
    for (const file of files) {
      await client.query(file.text);
      const after = await readLiveSql(client);
      if (!isSame(before, after)) changed.push(file);
      before = after;
    }
  } finally {
    await client.query('ROLLBACK');
  }
  return changed;
}

const isSame = (one: LiveSql, other: LiveSql): boolean =>
  one.size === other.size && [...one].every(([key, definition]) => other.get(key) === definition);
