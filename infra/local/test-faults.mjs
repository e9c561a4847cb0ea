// `npm run test:faults [-- arguments for Jest]`: what takes real PostgreSQL, Redis, Kafka, S3 and mail, which it installs as
// root on Debian, starts and ends.
import { specEnvironment } from './memory-folder.mjs';
import { runPhases, specs } from './phases.mjs';

/** These measure while they stop processes and servers: beside other specs they would measure those. */
const ALONE = ['two-of-each', 'process-faults', 'server-faults', 'faults/sessions'];

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
