import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { toolEnv } from './workspace.mjs';

const SHARED_MEMORY = '/dev/shm';
/** More than the databases, the broker and the temporary files of a whole run take. */
const NEEDED_BYTES = 6 * 1024 ** 3;

/**
 * The environment of a run of specs: `toolEnv` with the folder for temporary files in memory, where that is possible.
 */
export function specEnvironment() {
  const folder = memoryFolder();
  return folder === null ? toolEnv : { ...toolEnv, TMPDIR: folder };
}

/**
 * Makes a folder in memory for the temporary files of the specs, and removes it when this process exits. A new database
 * has hundreds of files, and a disk may take a millisecond to create each.
 * @returns null where TMPDIR already says where, the machine has no room, or no program may run from there.
 */
function memoryFolder() {
  if (process.env.TMPDIR || !isUsable()) return null;
  removeLeftOvers();
  const folder = mkdtempSync(join(SHARED_MEMORY, `svc-specs-${process.pid}-`));
  // PostgreSQL runs under an account of its own.
  chmodSync(folder, 0o755);
  process.once('exit', () => remove(folder));
  return folder;
}

function isUsable() {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) >= NEEDED_BYTES && runsPrograms();
  } catch {
    return false;
  }
}

function runsPrograms() {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).find(([, path]) => path === SHARED_MEMORY)?.[3];
  return options !== undefined && !options.split(',').includes('noexec');
}

/** A run that was killed removed nothing. */
function removeLeftOvers() {
  for (const name of readdirSync(SHARED_MEMORY)) {
    const pid = Number(/^svc-specs-(\d+)-/.exec(name)?.[1]);
    if (pid > 0 && !existsSync(`/proc/${pid}`)) remove(join(SHARED_MEMORY, name));
  }
}

/** A server that is still ending may add a file meanwhile. */
const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
