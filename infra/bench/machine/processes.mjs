// Places processes on cores, and measures their cost, from proc(5); NaN where the system has none.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** USER_HZ: the unit of times in /proc, the same on every Linux. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;
const FIRST_CORE = '0';
const STOP_TIMEOUT_MS = 10_000;

let canPin = false;
const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/**
 * Pins candidates to core 0, and this process with all its children to the other cores.
 * @returns a description for the report.
 */
export function divideCores() {
  const others = leaveFirstCore();
  canPin = others !== null;
  return canPin
    ? `candidate alone on core 0; load, upstream, PostgreSQL and Redis on core ${others}`
    : 'not pinned';
}

/**
 * Pins this process, and whatever it starts from now on, to all cores but the first.
 * @returns those cores; null where there is one only, or nothing to pin with.
 */
export function leaveFirstCore() {
  const cores = availableParallelism();
  if (cores < 2 || spawnSync('taskset', ['--version']).error) return null;
  const others = cores === 2 ? '1' : `1-${cores - 1}`;
  return pinTo(others) ? others : null;
}

/** Pins this process, and whatever it starts from now on, to the first core; after leaveFirstCore(). */
export const moveToFirstCore = () => pinTo(FIRST_CORE);

const pinTo = (cores) => spawnSync('taskset', ['-a', '-c', '-p', cores, String(process.pid)]).status === 0;

/** Starts a program on the core of candidates. Its output is read, as a container's is, and the last lines are kept. */
export function startCandidate(program, args, options = {}) {
  const [command, ...rest] = canPin ? ['taskset', '-c', FIRST_CORE, program, ...args] : [program, ...args];
  const child = spawn(command, rest, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const tail = [];
  const keepTail = (chunk) => {
    tail.push(chunk);
    if (tail.length > 8) tail.shift();
  };
  child.stdout.on('data', keepTail);
  child.stderr.on('data', keepTail);
  return Object.assign(child, { lastOutput: () => Buffer.concat(tail).toString().slice(-2000) });
}

export async function stopProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(deadline);
}

/** CPU time of a process so far, all its threads, in microseconds. */
export const cpuMicros = (pid) => ticksOf(pid, [11, 12]);

/** The same for a process and all its descendants, ended ones included. */
export function treeCpuMicros(pid) {
  return childrenOf(pid).reduce((total, child) => total + cpuMicros(child), ticksOf(pid, [11, 12, 13, 14]));
}

export function residentMegabytes(pid) {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / 1e6;
  } catch {
    return NaN;
  }
}

function ticksOf(pid, fields) {
  try {
    const stat = statOf(pid);
    const ticks = fields.reduce((total, field) => total + Number(stat[field]), 0);
    return (ticks * 1e6) / TICKS_PER_SECOND;
  } catch {
    return NaN;
  }
}

/** proc(5), from the third field on: the second, the program's name, may contain spaces and brackets. */
function statOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function childrenOf(pid) {
  try {
    const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return ids.filter((id) => {
      try {
        return Number(statOf(id)[1]) === pid;
      } catch {
        return false;
      }
    });
  } catch {
    return [];
  }
}
