// `npm run test:distributed [-- arguments for Nx]`: runs what needs real PostgreSQL, Redis and Kafka.
import { runPhasesOverServers } from './server-phases.mjs';

// The phases run one after another: the first would disturb the measurements of the second.
await runPhasesOverServers({
  'contracts of the adapters': ['run-many', '-t', 'test-distributed', '--exclude=e2e'],
  'separate services': ['run', 'e2e:test-distributed'],
});
