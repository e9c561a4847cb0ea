import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

/** Whether a process with this id runs, whether or not we may signal it. */
export function isAlive(pid: number): boolean {
  // A zombie: ended, but its exit code was not read. It stays in a container whose first process reaps no orphans.
  if (statOf(pid)[0] === 'Z') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When the process started, to tell it from a later one with the same id. Empty except on Linux. */
export const startTimeOf = (pid: number): string => statOf(pid)[19] ?? '';

/** proc(5), from the third field on: the second, the program's name, may itself hold spaces and brackets. */
function statOf(pid: number): readonly string[] {
  const stat = readOrEmpty(`/proc/${String(pid)}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The command line of a process; empty when there is none. */
export function commandLineOf(pid: number): string {
  const line = readOrEmpty(`/proc/${String(pid)}/cmdline`);
  if (line !== '' || process.platform === 'linux') return line.replaceAll('\0', ' ');
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
