import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Keeper {
  /** Runs the script now. Resolves when it has ended. */
  end(): Promise<void>;
}

/**
 * Starts a shell that outlives this process, and runs a script when this process ends, however it ends: a pipe between them
 * closes then. It does not keep this process running.
 * @param args of the script: `$1`, `$2`, …
 */
export function startKeeper(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Keeper {
  const keeper = spawn('sh', ['-c', `cat >/dev/null\n${script}`, 'sh', ...args], {
    env,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  keeper.unref();
  (keeper.stdin as unknown as { unref(): void }).unref();
  return {
    end: async () => {
      keeper.ref();
      keeper.stdin.end();
      if (keeper.exitCode === null && keeper.signalCode === null) await once(keeper, 'exit');
    },
  };
}
