import { openDatabase } from '@svc/persistence';
import { writeExport } from '../write-export';
import { writingOf } from './export-world';

export interface KilledOptions {
  readonly databaseUrl: string;
  readonly folder: string;
}

/** Writes exports until none waits. Whoever started it kills it at any time. */
async function run({ databaseUrl, folder }: KilledOptions): Promise<void> {
  const database = openDatabase({ url: databaseUrl, poolSize: 4 });
  const writing = await writingOf(database, folder, { leaseMs: 1 });
  process.stdout.write('started\n');
  while ((await writeExport(writing)).more);
  await database.close();
}

void run(JSON.parse(process.argv[2] ?? '{}') as KilledOptions);
