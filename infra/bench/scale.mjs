// `npm run bench:scale -- alerts`: measures one thing at the size of a large installation, over a database of its own.
import { spawn } from 'node:child_process';
import { build } from '../local/build.mjs';
import { exitOf } from '../local/processes.mjs';
import { root, say, serviceNode, toolEnv } from '../local/workspace.mjs';

const programs = {
  alerts: 'dist/apps/worker/src/testing/scale/alerts-at-scale.js',
  usage: 'dist/apps/worker/src/testing/scale/usage-at-scale.js',
  incident: 'dist/apps/worker/src/testing/scale/incident-at-scale.js',
  exports: 'infra/bench/exports-at-scale.mjs',
  files: 'infra/bench/files-at-scale.mjs',
};

const program = programs[process.argv[2]];
if (program === undefined) {
  say(`Say what to measure: ${Object.keys(programs).join(', ')}`);
  process.exit(2);
}
await build();
const measuring = spawn(
  serviceNode(),
  ['-r', 'reflect-metadata', '--enable-source-maps', program, ...process.argv.slice(3)],
  {
    cwd: root,
    env: toolEnv,
    stdio: 'inherit',
  },
);
process.on('SIGTERM', () => measuring.kill());
process.exit(await exitOf(measuring));
