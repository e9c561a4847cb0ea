import { spawn } from 'node:child_process';
import { specEnvironment } from './memory-folder.mjs';
import { exitOf } from './processes.mjs';
import { root, serviceNode } from './workspace.mjs';

/**
 * The arguments for Node.js that run Jest over specs.
 * @param tiers of infra/jest/tiers.cjs; default: all of them.
 * @param paths regular expressions, one of which a file's path must match; default: every file.
 * @param flags of Jest.
 */
export const jestArguments = ({ tiers = [], paths = [], flags = [] }) => [
  '--no-warnings',
  // Spec files make much that soon is garbage: with room for it, a process collects less often.
  '--max-semi-space-size=64',
  'node_modules/jest/bin/jest.js',
  ...(tiers.length > 0 ? ['--selectProjects', ...tiers] : []),
  ...flags,
  '--',
  ...paths,
];

/** Runs specs in place of this process. */
export async function becomeJest(args, env = {}) {
  const jest = spawn(serviceNode(), args, {
    cwd: root,
    env: { ...specEnvironment(), ...env },
    stdio: 'inherit',
  });
  process.on('SIGTERM', () => jest.kill());
  process.exit(await exitOf(jest));
}
