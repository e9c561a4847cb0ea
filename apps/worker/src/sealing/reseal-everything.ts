import { SealedValues, type Database } from '@svc/database';
import { type Sealer } from '@svc/runtime';
import { sealedColumns } from './sealed-columns';

/**
 * Re-encrypts all sealed values with the current key, in passes until none is left, and logs its progress.
 * @returns whether the current key now opens everything.
 */
export async function resealEverything(
  database: Database,
  sealer: Sealer,
  say: (line: string) => void,
): Promise<boolean> {
  const values = new SealedValues(database, sealer, sealedColumns);
  for (;;) {
    const { seenCount, resealedCount, unopened } = await values.reseal((column, seen, resealed) => {
      say(`${column}: ${String(seen)} seen, ${String(resealed)} sealed again`);
    });
    // The next pass finds values that another process sealed with another key meanwhile.
    if (resealedCount > 0) continue;
    for (const { table, column, id } of unopened)
      say(`not opened by any key given: ${table}.${column} of ${id}`);
    say(
      unopened.length === 0
        ? `All ${String(seenCount)} sealed values open with the current key: no other key is needed any more.`
        : `${String(unopened.length)} of ${String(seenCount)} sealed values open with no key given; the others open with the current key. Keep every older key until those are dealt with.`,
    );
    return unopened.length === 0;
  }
}
