import { spawn } from 'node:child_process';
import { build } from '../build.mjs';
import { install } from '../installation.mjs';
import { exitOf } from '../processes.mjs';
import { root, serviceNode, toolEnv } from '../workspace.mjs';

const FLAGS = [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--rootDir',
  '.',
];

/** Installs and builds what is missing, and runs end-to-end specs. @returns the exit code of Jest. */
export async function runJest(args, env) {
  await install();
  await build();
  const jest = spawn(serviceNode(), [...FLAGS, '--testTimeout', '120000', ...args], {
    cwd: root,
    env: { ...toolEnv, ...env },
    stdio: 'inherit',
  });
  process.on('SIGTERM', () => jest.kill());
  return exitOf(jest);
}
