import { openDatabase, whenDatabaseAnswers } from '@svc/database';
import { createSealer, exitWithError } from '@svc/runtime';
import { createLogger } from '@svc/runtime/observability';
import { readResealConfig } from './config';
import { resealEverything } from './sealing/reseal-everything';

/** Re-encrypts all stored secrets with the current master key while services run: docs/rotate-keys.md. */
async function reseal(): Promise<void> {
  const config = readResealConfig();
  const server = { url: config.SVC_DATABASE_URL, logger: createLogger({ service: 'reseal', level: 'info' }) };
  const database = openDatabase({ url: server.url, poolSize: 1 });
  await whenDatabaseAnswers(server, () => database.pool.query('SELECT'));
  const isDone = await resealEverything(database, createSealer(config.SVC_MASTER_KEY), (line) => {
    process.stdout.write(`${line}\n`);
  });
  await database.close();
  process.exitCode = isDone ? 0 : 1;
}

reseal().catch(exitWithError('reseal'));
