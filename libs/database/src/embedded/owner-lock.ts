import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isAlive, startTimeOf } from './process-identity';

interface OwnerLock {
  release(): void;
}

/**
 * Makes this process the only owner of a data folder. Takes over the lock of a process that has ended.
 * @throws Error in one line that names the owner.
 */
export function lockFor(file: string, dataDir: string): OwnerLock {
  const ours = `${String(process.pid)} ${startTimeOf(process.pid)}`;
  const draft = `${file}.${String(process.pid)}`;
  writeFileSync(draft, ours);
  try {
    while (!linkIfAbsent(draft, file)) {
      const theirs = readIfPresent(file);
      if (theirs === null) continue;
      const pid = Number(theirs.split(' ')[0]);
      // A lock with our own id is stale: in a restarted container processes get the same ids again.
      if (pid !== process.pid && theirs === `${String(pid)} ${startTimeOf(pid)}` && isAlive(pid)) {
        throw new Error(
          `${dataDir} is in use by process ${String(pid)}: stop it first, or set another SVC_DATA_DIR`,
        );
      }
      removeIfStill(file, theirs);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    release: () => {
      if (readIfPresent(file) === ours) rmSync(file, { force: true });
    },
  };
}

/** Unlike an exclusive create, a link never shows the file without its content. */
function linkIfAbsent(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Another start may have replaced the stale lock since it was read. Then the new lock is put back. */
function removeIfStill(file: string, content: string): void {
  const aside = `${file}.stale.${String(process.pid)}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (readIfPresent(aside) !== content) linkIfAbsent(aside, file);
  rmSync(aside, { force: true });
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
