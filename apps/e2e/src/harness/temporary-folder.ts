import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from './sleep';

const folders = new Set<string>();

afterAll(async () => {
  await Promise.all(Array.from(folders, removeFolder));
});

/** Creates a folder that is removed when the spec file ends. */
export async function temporaryFolder(): Promise<string> {
  const path = await newFolder();
  folders.add(path);
  return path;
}

/** Creates a folder that the database's own user can enter too. Its maker removes it. */
export async function newFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'svc-e2e-'));
  await chmod(path, 0o755);
  return path;
}

/** Removes a folder, and stops the database that a killed service left running in it. */
export async function removeFolder(path: string): Promise<void> {
  for (const dataDir of [path, join(path, 'data')]) await endLeftDatabase(dataDir);
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
  folders.delete(path);
}

async function endLeftDatabase(dataDir: string): Promise<void> {
  const pidFile = join(dataDir, 'postgres', 'pgdata', 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (Number.isNaN(pid) || !isAlive(pid)) return;
  process.kill(pid, 'SIGINT');
  while (isAlive(pid)) await sleep(20);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
