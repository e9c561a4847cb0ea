// `npm run test:distributed [-- arguments for Nx]`: runs what needs real PostgreSQL, Redis and Kafka.
import { join } from 'node:path';
import { runPhases } from './phases.mjs';
import { upFresh } from './servers.mjs';
import { install } from './installation.mjs';
import { root, serviceNode, toolEnv } from './workspace.mjs';

await install();
serviceNode();
const servers = await upFresh(join(root, '.svc/test-servers'));
const env = {
  ...toolEnv,
  SVC_TEST_DATABASE_URL: servers.SVC_DATABASE_URL,
  SVC_TEST_REDIS_URL: servers.SVC_REDIS_URL,
  SVC_TEST_KAFKA_BROKERS: servers.SVC_KAFKA_BROKERS,
};
// The phases run one after another: the first would disturb the measurements of the second.
await runPhases(
  {
    'contracts of the adapters': ['run-many', '-t', 'test-distributed', '--exclude=e2e'],
    'separate services': ['run', 'e2e:test-distributed'],
  },
  { env },
);
