// `npm run test:outages [-- arguments for Jest]`: the specs that kill and pause real servers and services under load.
import { specEnvironment } from './memory-folder.mjs';
import { ALONE, BESIDE_EACH_OTHER } from './outages.mjs';
import { runPhases, specs } from './phases.mjs';

const flags = ['--passWithNoTests', ...process.argv.slice(2)];
await runPhases(
  {
    'outages beside each other': specs({ tiers: ['fault'], flags, paths: BESIDE_EACH_OTHER }),
    'outages alone': specs({ tiers: ['fault'], flags: [...flags, '--runInBand'], paths: ALONE }),
  },
  { env: specEnvironment() },
);
