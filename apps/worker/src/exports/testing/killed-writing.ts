import { openDatabase } from '@svc/database';
import { openObjectStore, type StorageSettings } from '@svc/storage';
import { writeExport } from '../write-export';
import { writingOf } from './export-world';

export interface KilledOptions {
  readonly databaseUrl: string;
  readonly storage: StorageSettings;
}

/** Writes exports until none waits. Whoever started it kills it at any time. */
async function run({ databaseUrl, storage }: KilledOptions): Promise<void> {
  const database = openDatabase({ url: databaseUrl, poolSize: 4 });
  const writing = writingOf(database, await openObjectStore(storage), { leaseMs: 1 });
  process.stdout.write('started\n');
  while ((await writeExport(writing)).more);
  await database.close();
}

void run(JSON.parse(process.argv[2] ?? '{}') as KilledOptions);
