import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migratedDataOfThisRun } from './config';

const run = promisify(execFile);

/**
 * Gives a data folder without a database a copy of a migrated, empty one, because making one takes seconds. The start
 * then finds nothing to migrate, and does all the rest of a first start.
 */
export async function copyMigratedData(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, 'postgres'))) return;
  await mkdir(dataDir, { recursive: true });
  // Keeps the owner, the account that PostgreSQL runs under.
  await run('cp', ['-a', join(migratedDataOfThisRun(), 'postgres'), dataDir]);
}
