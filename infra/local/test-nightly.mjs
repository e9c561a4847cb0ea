// `npm run test:nightly [-- names of phases]`: everything that `.ci/run` leaves out, with seeds that differ each
// time. A failure names its seed, and SVC_TEST_SEED=<seed> repeats it.
import { runPhases, script } from './phases.mjs';
import { say, toolEnv } from './workspace.mjs';

const phases = {
  outages: script('test:outages'),
  separate: script('test:separate'),
  heavy: script('test:heavy'),
  console: script('test:console'),
  clients: script('test:clients'),
  'docs-python': script('test:docs:python'),
  fuzz: script('test:fuzz'),
  upgrade: script('test:upgrade'),
  compose: script('test:compose'),
  kubernetes: script('test:kubernetes', '--api-server'),
  'console-scale': script('test:console-scale'),
  'published-figures': script('bench', '--published'),
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(phases, name));
if (unknown.length > 0) {
  say(`There is no phase ${unknown.join(', ')}. They are ${Object.keys(phases).join(', ')}.`);
  process.exit(2);
}
const chosen = Object.entries(phases).filter(([name]) => names.length === 0 || names.includes(name));
await runPhases(Object.fromEntries(chosen), {
  env: { ...toolEnv, SVC_TEST_SEED: process.env.SVC_TEST_SEED ?? 'random' },
});
