import { join } from 'node:path';
import { installOtlpSchema } from './clients/python.mjs';
import { install } from './installation.mjs';
import { specEnvironment } from './memory-folder.mjs';
import { runPhases } from './phases.mjs';
import { upFresh } from './servers.mjs';
import { root, serviceNode } from './workspace.mjs';

/** Runs the phases over real servers that are started empty, and end with this process. */
export async function runPhasesOverServers(phases) {
  await install();
  serviceNode();
  const otlpPython = await installOtlpSchema();
  const env = specEnvironment();
  const servers = await upFresh(join(env.TMPDIR ?? join(root, '.svc'), 'test-servers'));
  await runPhases(phases, {
    env: {
      ...env,
      SVC_TEST_DATABASE_URL: servers.SVC_DATABASE_URL,
      SVC_TEST_REDIS_URL: servers.SVC_REDIS_URL,
      SVC_TEST_KAFKA_BROKERS: servers.SVC_KAFKA_BROKERS,
      SVC_TEST_OTLP_PYTHON: otlpPython,
    },
  });
}
