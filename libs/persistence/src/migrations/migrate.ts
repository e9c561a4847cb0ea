import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, DatabaseError } from 'pg';
import { prismaEnvironment } from './config';

/** Without it a server that accepts connections but never answers would block a start for good. */
const ANSWER_TIMEOUT_MS = 5_000;
const UNDEFINED_TABLE = '42P01';
const UNKNOWN_DATABASE = '3D000';

/**
 * Brings the database to this version's schema: `prisma migrate deploy`, or one query when nothing is pending. Safe to
 * run from several processes at once.
 * @param onLine gets Prisma's output.
 * @throws Error with the end of Prisma's output.
 */
export async function migrate(databaseUrl: string, onLine?: (line: string) => void): Promise<void> {
  const workspace = findWorkspace(__dirname);
  const migrations = await migrationNames(workspace);
  const applied = await appliedMigrations(databaseUrl);
  if (migrations.every((name) => applied.has(name))) return;
  await runPrisma(workspace, ['migrate', 'deploy'], databaseUrl, onLine);
}

/** Compiled or not, this file is somewhere below the folder of `prisma.config.ts`. */
export function findWorkspace(folder: string): string {
  if (existsSync(join(folder, 'prisma.config.ts'))) return folder;
  if (dirname(folder) === folder) throw new Error('prisma.config.ts is missing: migrations cannot run');
  return findWorkspace(dirname(folder));
}

/** @throws Error with the end of Prisma's output, when it exits with another code than 0. */
export async function runPrisma(
  workspace: string,
  args: readonly string[],
  databaseUrl: string,
  onLine?: (line: string) => void,
): Promise<void> {
  const cli = createRequire(join(workspace, 'package.json')).resolve('prisma/build/index.js');
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: workspace,
    env: prismaEnvironment(databaseUrl),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      if (line.trim() === '') return;
      printed.push(line);
      onLine?.(line);
    });
  }
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (exitCode !== 0) throw new Error(`prisma ${args.join(' ')} failed:\n${printed.slice(-20).join('\n')}`);
}

async function migrationNames(workspace: string): Promise<readonly string[]> {
  const entries = await readdir(join(workspace, 'libs/persistence/prisma/migrations'), {
    withFileTypes: true,
  });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function appliedMigrations(databaseUrl: string): Promise<ReadonlySet<string>> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `SELECT migration_name AS name FROM _prisma_migrations
       WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
    );
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    const code = error instanceof DatabaseError ? error.code : undefined;
    if (code === UNDEFINED_TABLE || code === UNKNOWN_DATABASE) return new Set();
    throw error;
  } finally {
    await client.end();
  }
}
