import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installOtlpSchema } from '../../local/clients/python.mjs';
import { neededNames, upFresh } from '../../local/servers.mjs';
import { templateName } from './migrated-data.mjs';

/**
 * Starts real PostgreSQL, Redis, Kafka and S3, empty, unless the caller named a Kafka; a PostgreSQL that is there already
 * is kept. They end with this process.
 */
export async function startServersOfThisRun() {
  if (process.env.SVC_TEST_KAFKA_BROKERS !== undefined) return;
  const folder = join(tmpdir(), `svc-test-servers-${process.pid}`);
  const servers = await upFresh(folder, [...neededNames, 's3']);
  Object.assign(process.env, {
    SVC_TEST_DATABASE_URL: process.env.SVC_TEST_DATABASE_URL ?? servers.SVC_DATABASE_URL,
    SVC_TEST_DATABASE_TEMPLATE: templateName(),
    SVC_TEST_REDIS_URL: servers.SVC_REDIS_URL,
    SVC_TEST_KAFKA_BROKERS: servers.SVC_KAFKA_BROKERS,
    SVC_TEST_STORAGE: JSON.stringify(storageOf(servers)),
    SVC_TEST_OTLP_PYTHON: await installOtlpSchema(),
  });
}

const storageOf = (variables) =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => name.startsWith('SVC_STORAGE_')));
