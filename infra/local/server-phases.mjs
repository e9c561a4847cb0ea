import { join } from 'node:path';
import { installOtlpSchema } from './clients/python.mjs';
import { install } from './installation.mjs';
import { specEnvironment } from './memory-folder.mjs';
import { runPhases } from './phases.mjs';
import { neededNames, upFresh } from './servers.mjs';
import { root, serviceNode } from './workspace.mjs';

/** Runs the phases over real servers that are started empty, and end with this process. */
export async function runPhasesOverServers(phases) {
  await install();
  serviceNode();
  const otlpPython = await installOtlpSchema();
  const env = specEnvironment();
  const folder = join(env.TMPDIR ?? join(root, '.svc'), 'test-servers');
  const servers = await upFresh(folder, [...neededNames, 's3']);
  await runPhases(phases, {
    env: {
      ...env,
      SVC_TEST_DATABASE_URL: servers.SVC_DATABASE_URL,
      SVC_TEST_REDIS_URL: servers.SVC_REDIS_URL,
      SVC_TEST_KAFKA_BROKERS: servers.SVC_KAFKA_BROKERS,
      SVC_TEST_STORAGE: JSON.stringify(storageOf(servers)),
      SVC_TEST_OTLP_PYTHON: otlpPython,
    },
  });
}

/** The variables of object storage. */
const storageOf = (variables) =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => name.startsWith('SVC_STORAGE_')));
