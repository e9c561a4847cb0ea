import 'reflect-metadata';
import { migrate, openDatabase, whenDatabaseAnswers } from '@svc/database';
import { exitWithError } from '@svc/runtime';
import { createLogger } from '@svc/runtime/observability';
import { readyLine } from './banner';
import { bootstrapInstallation } from './bootstrap';
import { readSetUpConfig } from './config';

/**
 * Prepares the database for separate services: migrates it, and makes the first organization. It runs before they
 * start, and may run again.
 */
async function setUp(): Promise<void> {
  const config = readSetUpConfig();
  const server = { url: config.SVC_DATABASE_URL, logger: createLogger({ service: 'set-up', level: 'info' }) };
  await whenDatabaseAnswers(server, () => migrate(server.url));
  const database = openDatabase({ url: server.url, poolSize: 1 });
  const installation = await whenDatabaseAnswers(server, () => bootstrapInstallation(database, config));
  await database.close();
  // Many people read a cluster's logs: given secrets are never printed, and generated ones are printed once.
  const { SVC_BOOTSTRAP_API_KEY: givenKey, SVC_BOOTSTRAP_PASSWORD: givenPassword } = config;
  const report = {
    base_url: config.SVC_BASE_URL,
    ...installation,
    ...(givenKey === undefined ? {} : { api_key: null }),
    ...(givenPassword === undefined ? {} : { owner_password: null }),
    platform_token: null,
  };
  process.stdout.write(`${readyLine(report)}\n`);
}

setUp().catch(exitWithError('set-up'));
