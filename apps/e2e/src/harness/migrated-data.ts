import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from './app-process';

const run = promisify(execFile);

/**
 * Gives a data folder without a database a copy of a migrated, empty one, because making one takes seconds. The start
 * then finds nothing to migrate, and does all the rest of a first start.
 */
export async function copyMigratedData(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, 'postgres'))) return;
  const template = await templateOfThisRun();
  await mkdir(dataDir, { recursive: true });
  // Keeps the owner, the account that PostgreSQL runs under.
  await run('cp', ['-a', join(template, 'postgres'), dataDir]);
}

let making: Promise<string> | null = null;
const templateOfThisRun = (): Promise<string> => (making ??= makeTemplate());

/** One for all spec files of a run. Another version of the schema or of PostgreSQL makes another one. */
async function makeTemplate(): Promise<string> {
  const template = join(tmpdir(), `svc-e2e-data-${await versionOfData()}`);
  if (existsSync(template)) return template;
  const draft = await mkdtemp(`${template}-`);
  await chmod(draft, 0o755);
  await run(process.execPath, ['infra/local/migrated-data.mjs', draft], { cwd: workspaceRoot });
  await rename(draft, template).catch(async (error: unknown) => {
    // Another spec file was faster.
    await rm(draft, { recursive: true });
    if (!existsSync(template)) throw error;
  });
  return template;
}

async function versionOfData(): Promise<string> {
  const folder = join(workspaceRoot, 'libs/persistence/prisma/migrations');
  const migrations = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.sql'));
  const hash = createHash('sha256');
  for (const file of [
    join(workspaceRoot, 'package-lock.json'),
    ...migrations.sort().map((name) => join(folder, name)),
  ])
    hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}
