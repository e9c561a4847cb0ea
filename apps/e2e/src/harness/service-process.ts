import { type ChildProcess } from 'node:child_process';
import { START_TIMEOUT_MS, exitOf, killed, outputOf, spawnApp, type Output } from './app-process';
import { sleep } from './sleep';

/** One process of a service, which a spec may stop and start again. */
export interface ServiceProcess {
  readonly name: string;
  /** Its own URL, without the proxy. */
  readonly url: string;
  readonly pid: number;
  /** SIGKILL; resolves when the process has exited. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Starts it again on the same port; resolves when it is ready. */
  start(): Promise<void>;
  /** Its output so far, over all restarts. */
  logs(): string;
}

const POLL_MS = 50;
const ANSWER_TIMEOUT_MS = 5_000;
const LOG_TAIL_CHARACTERS = 4_000;

/** Starts a built service on a port and waits until it is ready. @param build the folder whose `dist/` it is of. */
export async function startService(
  name: string,
  port: number,
  env: Readonly<Record<string, string>>,
  build?: string,
): Promise<ServiceProcess> {
  const url = `http://127.0.0.1:${String(port)}`;
  const outputs: Output[] = [];
  let child: ChildProcess | undefined;
  const start = async () => {
    const started = (child = spawnApp(name, { ...env, SVC_PORT: String(port) }, undefined, build));
    outputs.push(outputOf(started));
    started.once('exit', (code, signal) => {
      if (!started.killed) process.stderr.write(endedByItself(`${name} at ${url}`, signal ?? code, logs()));
    });
    await untilReady(started, url, logs);
  };
  const logs = () => outputs.map(({ text }) => text).join('');
  await start();
  return {
    name,
    url,
    get pid() {
      return child?.pid ?? 0;
    },
    kill: async () => {
      if (child !== undefined) await killed(child);
    },
    stop: () => (child === undefined ? Promise.resolve(null) : exitOf(child, 'SIGTERM')),
    start,
    logs,
  };
}

/** A spec only sees that nothing listens any more, so it is said why. */
const endedByItself = (what: string, how: number | NodeJS.Signals | null, log: string) =>
  `${what} ended by itself with ${String(how)}. It printed last:\n${log.slice(-LOG_TAIL_CHARACTERS)}\n`;

/** @throws Error with the output of the process when it exits first or takes too long. */
export async function untilReady(child: ChildProcess, url: string, logs: () => string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady(url))) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(
        `The app at ${url} ${hasEnded ? 'ended' : 'was not ready in time'}. It printed:\n${logs()}`,
      );
    }
    await sleep(POLL_MS);
  }
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) }).then(
    (answer) => answer.ok,
    () => false,
  );
