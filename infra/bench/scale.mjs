// `npm run bench:scale -- alerts`: measures one thing at the size of a large installation, over a database of its own.
import { spawn } from 'node:child_process';
import { endAll } from '../jest/set-up/ended-with-the-run.mjs';
import startPostgres from '../jest/set-up/postgres.mjs';
import { build } from '../local/build.mjs';
import { exitOf } from '../local/processes.mjs';
import { root, say, serviceNode, toolEnv } from '../local/workspace.mjs';

/** Over a database of specs. */
const parts = ['alerts', 'usage', 'holds', 'incident'];
/** Over services of their own. */
const services = ['exports', 'files', 'affinity'];

const what = process.argv[2];
if (![...parts, ...services].includes(what)) {
  say(`Say what to measure: ${[...parts, ...services].join(', ')}`);
  process.exit(2);
}
await build();
const isPart = parts.includes(what);
if (isPart) await startPostgres();
const program = isPart
  ? `dist/apps/worker/src/testing/scale/${what}-at-scale.js`
  : `infra/bench/${what}-at-scale.mjs`;
const measuring = spawn(
  serviceNode(),
  ['-r', 'reflect-metadata', '--enable-source-maps', program, ...process.argv.slice(3)],
  { cwd: root, env: { ...process.env, ...toolEnv }, stdio: 'inherit' },
);
process.on('SIGTERM', () => measuring.kill());
const code = await exitOf(measuring);
await endAll();
process.exit(code);
