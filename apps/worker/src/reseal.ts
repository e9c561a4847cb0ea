import { openDatabase } from '@svc/persistence';
import { createSealer, endInOneLine } from '@svc/platform';
import { readResealConfig } from './config';
import { resealEverything } from './sealing/reseal-everything';

/** Seals everything stored with the current master key, beside running services: docs/rotate-keys.md. */
async function reseal(): Promise<void> {
  const config = readResealConfig();
  const database = openDatabase({ url: config.SVC_DATABASE_URL, poolSize: 1 });
  const isDone = await resealEverything(database, createSealer(config.SVC_MASTER_KEY), (line) => {
    process.stdout.write(`${line}\n`);
  });
  await database.close();
  process.exitCode = isDone ? 0 : 1;
}

reseal().catch(endInOneLine('reseal'));
