import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { root, toolEnv } from './workspace.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** npm would undo its installation, for which nobody waits. */
const END_MAX_MS = 2_000;
let running = 0;

/**
 * Runs a tool to its end, passes on its output, and resolves with its exit code. A signal ends the tool with all its
 * child processes, and then this process: when the prompt returns after Ctrl-C, nothing runs in the background.
 * @param yields it takes only what processor others leave.
 */
export async function run(command, args, { env = toolEnv, cwd = root, yields = false, onOutput }) {
  let endedBy = null;
  const end = (signal) => {
    if (endedBy !== null) return;
    endedBy = signal;
    signalGroup(child, signal);
    setTimeout(signalGroup, END_MAX_MS, child, 'SIGKILL').unref();
  };
  // Before the tool is there: a signal right after its start would end this process alone.
  for (const signal of SIGNALS) process.on(signal, end);
  // A process group of its own: npm's scripts and their children end with npm.
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  running++;
  if (yields) yieldToOthers(child);
  child.stdout.on('data', onOutput);
  child.stderr.on('data', onOutput);
  const code = await exitOf(child).finally(() => running--);
  if (endedBy !== null)
    return running > 0 ? new Promise(() => undefined) : process.exit(exitCode(null, endedBy));
  for (const signal of SIGNALS) process.off(signal, end);
  return code;
}

/** The child processes that it starts later do as it does. */
function yieldToOthers({ pid }) {
  const { PRIORITY_LOW } = constants.priority;
  try {
    setPriority(pid, PRIORITY_LOW);
    // Linux may share processors among sessions, of which this is one, and then only among their processes (sched(7)).
    writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY_LOW));
  } catch {
    // It has already ended, or this system has no such groups.
  }
}

function signalGroup({ pid }, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // The process has already ended.
  }
}

/** A child's exit code, once it has ended and its output is read. For a signal, the code is the one that shells use. */
export function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(exitCode(code, signal)));
  });
}

const exitCode = (code, signal) => code ?? 128 + constants.signals[signal];
