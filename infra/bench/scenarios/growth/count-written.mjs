// Measures what PostgreSQL writes per call.
import { setTimeout as pause } from 'node:timers/promises';
import { rowsWritten, STATISTICS_DELAY_MS, walBytes } from '../../machine/statistics.mjs';

/** Waits for settlements after the last answers. */
const SETTLE_MS = 1000;

/**
 * Makes `calls` more calls of each variant.
 * @returns by variant: `problems`, `figures` (`rowsPerCall`, `walBytesPerCall`, `keptBytesPerCall`) and `rowsByTable`, the same
 * rows by table. A record is inserted and, when its call is settled, updated; a charge is inserted. Wallets and periods of budgets are
 * updated once per batch of holds, and once per batch of settlements, as days of usage are. A key's
 * last use is updated once a minute, an edge's lease every ten seconds. The WAL also has whole pages: those with
 * their first change since a checkpoint.
 */
export async function countWritten(world, variants, calls) {
  const written = new Map();
  await pause(STATISTICS_DELAY_MS);
  for (const variant of variants) {
    const { database, keptBytesPerCall } = world.installations[variant.candidate];
    const before = await rowsWritten(database);
    const { bytes, problems } = await walOf(world, variant, calls);
    await pause(STATISTICS_DELAY_MS);
    const rowsByTable = perCall(before, await rowsWritten(database), calls);
    const rowsPerCall = Object.values(rowsByTable).reduce((total, rows) => total + rows, 0);
    const figures = { rowsPerCall, walBytesPerCall: bytes / calls, keptBytesPerCall };
    written.set(variant.name, { figures, rowsByTable, problems });
  }
  return written;
}

async function walOf(world, { name, candidate, call }, calls) {
  const { database } = world.installation;
  const before = await walBytes(database);
  const { failure, errors, firstError } = await world.load.run({
    port: world.runningOf(candidate).port,
    requests: world.requestsOf(candidate, call),
    connections: 64,
    callsMax: calls,
  });
  if (failure !== null) throw new Error(`${name}: ${failure}`);
  await pause(SETTLE_MS);
  const bytes = (await walBytes(database)) - before;
  const wrong = `${name}, counted: ${errors} of ${calls} answers were not expected, the first with ${firstError}`;
  return { bytes, problems: errors > 0 ? [wrong] : [] };
}

function perCall(before, after, calls) {
  const written = [...after].map(([table, count]) => [table, (count - (before.get(table) ?? 0)) / calls]);
  return Object.fromEntries(written.filter(([, count]) => count > 0));
}
