// `npm run test:faults [-- arguments for Jest]`: what takes real PostgreSQL, Redis, Kafka, S3 and mail, which it installs as
// root on Debian, starts and ends.
import { specEnvironment } from './memory-folder.mjs';
import { runPhases, specs } from './phases.mjs';

/** What it compares is how many calls are served before a fault and during it: another spec beside it would count. */
const ALONE = ['faults/sessions'];

const flags = ['--passWithNoTests', ...process.argv.slice(2)];
await runPhases(
  {
    'faults beside each other': specs({
      tiers: ['fault'],
      flags: [...flags, '--testPathIgnorePatterns', ...ALONE],
    }),
    'faults alone': specs({ tiers: ['fault'], flags: [...flags, '--runInBand'], paths: ALONE }),
  },
  { env: specEnvironment() },
);
