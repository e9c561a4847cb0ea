// `npm run test:faults [-- arguments for Jest]`: what takes real PostgreSQL, Redis, Kafka, S3 and mail, which it installs as
// root on Debian, starts and ends. What kills and pauses servers for minutes is `npm run test:outages`.
import { specEnvironment } from './memory-folder.mjs';
import { OUTAGES } from './outages.mjs';
import { runPhases, specs } from './phases.mjs';

const flags = ['--passWithNoTests', ...process.argv.slice(2), '--testPathIgnorePatterns', ...OUTAGES];
await runPhases(
  { 'faults over real servers': specs({ tiers: ['fault'], flags }) },
  { env: specEnvironment() },
);
