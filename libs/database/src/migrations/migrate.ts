import { packageVersion } from '@svc/runtime';
import { type Client } from 'pg';
import { isLive, liveObjects, loadSql, textHash } from '../sql-home/load-sql';
import { type SqlFile } from '../sql-home/sql-file';
import { readSqlFiles } from '../sql-home/sql-files';
import { type Applied, makeRecords, readApplied, recordFiles, recordMigration } from './applied';
import { withClient } from './client';
import { findWorkspace, type Migration, readMigrations, runsAlone } from './migration-files';
import { isOlder } from './versions';
import { whileMigrating } from './while-migrating';

interface Schema {
  readonly version: string;
  readonly migrations: readonly Migration[];
  /** Functions, views and triggers. */
  readonly files: readonly SqlFile[];
}

interface MigrateOptions {
  /** Gets a line for each thing that is applied. */
  readonly onLine?: (line: string) => void;
  /** For specs. By default that of this build. */
  readonly schema?: Schema;
}

/**
 * Brings the database to this version's schema: migrations that it has not, then functions whose text it has not
 * (docs/decisions/0054). One query when it has all. Makes the database if there is none. Safe to run from several
 * processes at once.
 *
 * Each migration is a transaction. The last one loads the functions too, so that both are there, or neither.
 *
 * @throws Error in one line for a database that was made before the first release.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<void> {
  const { onLine = () => undefined, schema = readSchema() } = options;
  await withClient(databaseUrl, async (client) => {
    if (isCurrent(schema, await readApplied(client))) return;
    await whileMigrating(client, onLine, async () => {
      await makeRecords(client);
      await apply(client, schema, await readApplied(client), onLine);
    });
  });
}

export function readSchema(): Schema {
  const workspace = findWorkspace(__dirname);
  return {
    version: packageVersion(),
    migrations: readMigrations(workspace),
    files: readSqlFiles(workspace),
  };
}

async function apply(
  client: Client,
  schema: Schema,
  applied: Applied,
  onLine: (line: string) => void,
): Promise<void> {
  const missing = missingMigrations(schema, applied);
  const loadFiles = async (): Promise<void> => {
    const files = await filesToLoad(client, schema, applied);
    await loadSql(client, files);
    await recordFiles(client, files, schema.version);
    for (const { path } of files) onLine(`loaded ${path}`);
  };
  for (const [at, migration] of missing.entries()) {
    const run = async (): Promise<void> => {
      await client.query(migration.sql);
      await recordMigration(client, migration.name);
      onLine(`applied ${migration.name}`);
    };
    if (runsAlone(migration)) await run();
    else await inTransaction(client, at < missing.length - 1 ? run : () => run().then(loadFiles));
  }
  const last = missing.at(-1);
  if (last === undefined || runsAlone(last)) await inTransaction(client, loadFiles);
}

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    // On a broken connection it is rolled back already.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

const missingMigrations = ({ migrations }: Schema, { names }: Applied): readonly Migration[] =>
  migrations.filter(({ name }) => !names.has(name));

const isCurrent = (schema: Schema, applied: Applied): boolean =>
  missingMigrations(schema, applied).length === 0 && changedFiles(schema, applied).length === 0;

const changedFiles = (schema: Schema, applied: Applied): readonly SqlFile[] =>
  leavesFiles(schema, applied)
    ? []
    : schema.files.filter((file) => applied.hashes.get(file.path) !== textHash(file));

async function filesToLoad(client: Client, schema: Schema, applied: Applied): Promise<readonly SqlFile[]> {
  if (leavesFiles(schema, applied)) return [];
  const changed = new Set(changedFiles(schema, applied));
  const live = await liveObjects(client);
  return schema.files.filter((file) => changed.has(file) || !isLive(file, live));
}

/**
 * Functions that a newer version loaded are left alone: that one may run beside this one, and what it loads works for the version
 * before too.
 */
const leavesFiles = ({ version }: Schema, { versions }: Applied): boolean =>
  [...versions].some((loaded) => isOlder(version, loaded));
