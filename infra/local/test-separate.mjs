// `npm run test:separate [-- arguments for Jest]`: the end-to-end specs of the one process, over separate services and real
// servers.
import { specEnvironment } from './memory-folder.mjs';
import { runPhases, specs } from './phases.mjs';

/** Specs of bodies: one process reads and writes each, so they are the same in every composition. */
const OF_ONE_PROCESS = [
  'sdk',
  'strict',
  'foreign-upstream',
  'compressed-upstream',
  'estimated-usage',
  'extra-parameters',
];
/** The crash of the worker is over a real S3 here. */
const ALONE = ['huge-prompt', 'soak', 'crash', 'call-minutes', 'endpoints', 'incidents'];

const flags = ['--passWithNoTests', ...process.argv.slice(2)];
const composition = { SVC_E2E_COMPOSITION: 'separate', SVC_SOAK_CALLS: '2000' };
await runPhases(
  {
    'separate services': specs(
      {
        tiers: ['e2e', 'start', 'page'],
        flags: [...flags, '--testPathIgnorePatterns', ...OF_ONE_PROCESS],
        paths: ['apps/e2e/'],
      },
      composition,
    ),
    'the console over separate services': specs(
      { tiers: ['heavy'], flags, paths: ['apps/e2e/src/console/'] },
      composition,
    ),
    'load on separate services': specs(
      { tiers: ['heavy'], flags: [...flags, '--runInBand'], paths: ALONE },
      composition,
    ),
  },
  { env: specEnvironment() },
);
