// The two programs of every measurement, each its own process: the load and the upstream.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { say } from '../../local/workspace.mjs';
import { cpuMicros } from '../machine/processes.mjs';

const program = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The run ends when it exits, because nothing can be measured without it. Its signal or exit code is printed. */
function start(name, node, args = []) {
  const child = fork(program(name), args, { execPath: node, execArgv: [], serialization: 'advanced' });
  let isWanted = true;
  child.once('exit', (code, signal) => {
    if (!isWanted) return;
    say(`${name} ended by itself (${signal ?? code})`);
    process.exit(1);
  });
  const stop = () => {
    isWanted = false;
    child.disconnect();
  };
  return { child, stop };
}

/** @returns its port, its cost so far, and how to stop it. */
export async function startUpstream(node, wantedPort) {
  const { child, stop } = start('./upstream.mjs', node, [String(wantedPort)]);
  const [{ port }] = await once(child, 'message');
  return { port, cpuMicros: () => cpuMicros(child.pid), stop };
}

/**
 * @returns `run(job)`, where a job has
 * - `port`, and `requests`: whole requests as bytes, sent in turn; with `unique` each `{{unique..}}` becomes a unique number,
 * - `connections`, and `durationMs` or `callsMax`; with `ratePerSecond` it is an open loop, else a closed one,
 * - `expected` statuses: answers with any other are counted as `errors`,
 * - `framesMin`: the least number of frames of a stream; 0 for other answers.
 */
export async function startLoad(node) {
  const { child, stop } = start('./generator.mjs', node);
  return {
    /** @param onConnected called when every connection is open, before the first call. */
    async run(job, onConnected = () => undefined) {
      const answer = async () => {
        const [message] = await once(child, 'message');
        if (message.error !== undefined) throw new Error(`the load failed: ${message.error}`);
        return message;
      };
      child.send({ job: { unique: false, framesMin: 0, expected: [200], ...job } });
      await answer();
      onConnected();
      child.send({ isAwaited: true });
      const { result } = await answer();
      return result;
    },
    stop,
  };
}
