import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findWorkspace } from '../migrations/migrate';
import { openTestDatabase } from '../testing';
import { changedFiles } from './live-sql';
import { readSqlFiles, type SqlFile } from './sql-files';

/**
 * Copies what changed in `libs/persistence/sql` since the last migration into the next one.
 * Run it with `nx run persistence:sql-migration --name=<what_changes>`.
 */
async function main(name: string | undefined): Promise<void> {
  if (name === undefined || !/^[a-z0-9_]+$/.test(name)) {
    process.stderr.write('Say what changes, in lower case with underscores: --name=locks_in_order\n');
    process.exitCode = 2;
    return;
  }
  const workspace = findWorkspace(__dirname);
  const test = await openTestDatabase();
  try {
    const client = await test.database.connectAlone();
    const changed = await changedFiles(client, readSqlFiles(workspace));
    await client.end();
    if (changed.length === 0) return void process.stdout.write('Every file says what the migrations made.\n');
    const folder = join(workspace, 'libs/persistence/prisma/migrations', `${timestamp(new Date())}_${name}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'migration.sql'), migrationOf(changed));
    process.stdout.write(`${folder}/migration.sql: ${changed.map(({ path }) => path).join(', ')}\n`);
  } finally {
    await test.close();
  }
}

export const migrationOf = (changed: readonly SqlFile[]): string =>
  changed.map(({ path, text }) => `-- libs/persistence/sql/${path}\n${text.trimEnd()}\n`).join('\n');

const timestamp = (now: Date): string => now.toISOString().replaceAll(/\D/g, '').slice(0, 14);

if (require.main === module) void main(process.argv[2]?.replace('--name=', ''));
