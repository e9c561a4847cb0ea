// `npm run test:faults [-- arguments for Jest]`: what takes real PostgreSQL, Redis, Kafka, S3 and mail, which it installs as
// root on Debian, starts and ends.
import { install } from './installation.mjs';
import { specEnvironment } from './memory-folder.mjs';
import { runPhases, specs } from './phases.mjs';

await install();
await runPhases(
  {
    'specs over real servers': specs({ tiers: ['fault'], flags: ['--runInBand', ...process.argv.slice(2)] }),
  },
  { env: specEnvironment() },
);
