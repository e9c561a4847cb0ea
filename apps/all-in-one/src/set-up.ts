import 'reflect-metadata';
import { migrate, openDatabase } from '@svc/persistence';
import { endInOneLine } from '@svc/platform';
import { readyLine } from './banner';
import { bootstrapInstallation } from './bootstrap';
import { readSetUpConfig } from './config';

/** Prepares the database for separate services: migrates it, and makes the first organization. Runs before they start, any number of times. */
async function setUp(): Promise<void> {
  const config = readSetUpConfig();
  await migrate(config.SVC_DATABASE_URL);
  const database = openDatabase({ url: config.SVC_DATABASE_URL, poolSize: 1 });
  const installation = await bootstrapInstallation(database, config);
  await database.close();
  // Logs of a cluster are kept and read by many: what was given stays unsaid, and what was made up is said once.
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

setUp().catch(endInOneLine('set-up'));
