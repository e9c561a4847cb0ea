import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

/** Whether a process has this id, ours to signal or not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Tells a process from a later one of the same id, where the system says when it began (Linux); else empty. */
export function startTimeOf(pid: number): string {
  const stat = readOrEmpty(`/proc/${String(pid)}/stat`);
  // Field 22; the second, the program's name, may itself hold spaces and brackets.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** The command line of a process; empty when there is none. */
export function commandLineOf(pid: number): string {
  const arguments0 = readOrEmpty(`/proc/${String(pid)}/cmdline`);
  if (arguments0 !== '' || process.platform === 'linux') return arguments0.replaceAll('\0', ' ');
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
