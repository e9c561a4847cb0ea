import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type Database } from '@svc/database';
import { startEmbeddedPostgres } from '@svc/database/embedded';
import { DataDir } from '../data-dir';
import { type ResetPasswordConfig } from './config';

interface InstalledDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

/**
 * The database of an installation: the configured server, else the embedded one. The embedded one is started
 * temporarily where the service does not run.
 * @throws Error in one line where nothing is installed, or another process owns the data folder and its database does
 * not answer.
 */
export async function openInstalledDatabase(config: ResetPasswordConfig): Promise<InstalledDatabase> {
  if (config.SVC_DATABASE_URL !== undefined) return opened(config.SVC_DATABASE_URL);
  const dataDir = new DataDir(config.SVC_DATA_DIR);
  if (!existsSync(join(dataDir.path, 'postgres'))) {
    throw new Error(`Nothing is installed in ${dataDir.path}: set SVC_DATA_DIR or SVC_DATABASE_URL.`);
  }
  const running = await runningDatabase(dataDir);
  if (running !== null) return running;
  const postgres = await startEmbeddedPostgres({ dataDir: dataDir.path });
  return opened(postgres.url, () => postgres.stop());
}

/** null where the server of the last start does not answer. */
async function runningDatabase(dataDir: DataDir): Promise<InstalledDatabase | null> {
  const url = await dataDir.notedDatabaseUrl();
  if (url === null) return null;
  const running = opened(url);
  try {
    await running.database.pool.query('SELECT');
    return running;
  } catch {
    await running.close();
    return null;
  }
}

function opened(url: string, stop: () => Promise<void> = () => Promise.resolve()): InstalledDatabase {
  const database = openDatabase({ url, poolSize: 1 });
  return { database, close: () => database.close().finally(stop) };
}
