import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { commandLineOf, isAlive } from './process-identity';

const FAST_SHUTDOWN_MS = 20_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;
const POLL_MS = 20;

/** Ends the server that a killed owner left running over this data, and waits until it is gone. */
export async function endLeftOverServer(pgData: string): Promise<void> {
  const pidFile = join(pgData, 'postmaster.pid');
  const pid = readPid(pidFile);
  if (pid === null) return;
  if (isAlive(pid) && isServerOf(pgData, pid)) {
    await endServer(pid);
  } else {
    // PostgreSQL would take any process with that id for an earlier server, and refuse to start.
    rmSync(pidFile, { force: true });
  }
}

/**
 * Ends a server. Open sessions are cut, but committed data is safe.
 * @throws Error when it does not end.
 */
export async function endServer(pid: number): Promise<void> {
  signal(pid, 'SIGINT');
  if (await isGoneWithin(pid, FAST_SHUTDOWN_MS)) return;
  signal(pid, 'SIGQUIT');
  if (await isGoneWithin(pid, IMMEDIATE_SHUTDOWN_MS)) return;
  throw new Error(`PostgreSQL (process ${String(pid)}) does not end`);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function isGoneWithin(pid: number, waitMs: number): Promise<boolean> {
  for (let waited = 0; waited < waitMs; waited += POLL_MS) {
    if (!isAlive(pid)) return true;
    await wait(POLL_MS);
  }
  return !isAlive(pid);
}

function isServerOf(pgData: string, pid: number): boolean {
  const commandLine = commandLineOf(pid);
  return commandLine.includes('postgres') && commandLine.includes(pgData);
}

function readPid(pidFile: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    return pid > 0 ? pid : null;
  } catch {
    return null;
  }
}
