import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { exitOf } from './processes.mjs';
import { compileCache, root, serviceNode } from './workspace.mjs';

const PARENT_CHECK_INTERVAL_MS = 500;

/** Runs the built service in place of this process: signals are passed on, and its exit code becomes ours. */
export async function becomeService(env = process.env) {
  const service = spawn(serviceNode(), [join(root, 'dist/apps/all-in-one/src/main.js')], {
    stdio: 'inherit',
    env: { ...env, NODE_COMPILE_CACHE: compileCache },
  });
  let isStopping = false;
  const stop = () => {
    if (!isStopping) service.kill('SIGTERM');
    isStopping = true;
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', () => {
    // A terminal's Ctrl-C has reached the service already, which shares our process group.
    if (!process.stdin.isTTY) stop();
  });
  if (process.env.npm_lifecycle_event === 'start') {
    // A killed npm forwards no signal: the service must not outlive it.
    const npm = process.ppid;
    setInterval(() => {
      if (process.ppid !== npm) stop();
    }, PARENT_CHECK_INTERVAL_MS).unref();
  }
  process.exit(await exitOf(service));
}
