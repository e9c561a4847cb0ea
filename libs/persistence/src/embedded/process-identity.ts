import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

/** Whether a process runs under this id, ours to signal or not. */
export function isAlive(pid: number): boolean {
  // Ended, but nobody asked for its exit code: so it stays in a container whose first process adopts no orphans.
  if (statOf(pid)[0] === 'Z') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Tells a process from a later one of the same id, where the system says when it began (Linux); else empty. */
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
