// Runs a candidate: a process on the core of candidates, ready to be called.
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '../../local/servers/background.mjs';
import { residentMegabytes, startCandidate, stopProcess, treeCpuMicros } from '../machine/processes.mjs';

const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 5;

export async function freePort() {
  const [port] = await freePorts(1, []);
  return port;
}

/**
 * Starts a program and waits until it answers.
 * @param node what runs the arguments: Node.js, or a program of its own.
 * @returns the running candidate, with `readyMs`: the time until its first answer.
 */
export async function launch({
  name,
  node,
  args,
  port,
  readyPath,
  cwd,
  env = {},
  readyTimeoutMs = READY_TIMEOUT_MS,
}) {
  const startedAtMs = performance.now();
  const child = startCandidate(node, args, {
    cwd,
    // Without the environment of the user who runs the benchmark.
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
  });
  const deadlineMs = startedAtMs + readyTimeoutMs;
  while (!(await isReady(`http://127.0.0.1:${port}${readyPath}`))) {
    if (child.exitCode !== null || performance.now() > deadlineMs) {
      throw new Error(`${name} did not start:\n${child.lastOutput()}`);
    }
    await pause(READY_POLL_MS);
  }
  const readyMs = performance.now() - startedAtMs;
  return {
    port,
    readyMs,
    cpuMicros: () => treeCpuMicros(child.pid),
    residentMegabytes: () => residentMegabytes(child.pid),
    lastOutput: child.lastOutput,
    stop: () => stopProcess(child),
  };
}

async function isReady(url) {
  try {
    const { status } = await fetch(url);
    return status === 200;
  } catch {
    return false;
  }
}
