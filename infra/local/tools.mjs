import { spawn } from 'node:child_process';
import { exitOf } from './processes.mjs';
import { root, toolEnv } from './workspace.mjs';

/** Runs tools of the workspace one after another, and ends this process: with the code of the first that fails. */
export async function becomeTools(...commands) {
  for (const [program, ...args] of commands) {
    const tool = spawn(program, args, { cwd: root, env: toolEnv, stdio: 'inherit' });
    process.once('SIGTERM', () => tool.kill());
    const code = await exitOf(tool);
    if (code !== 0) process.exit(code);
  }
  process.exit();
}
