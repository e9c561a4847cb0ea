import { type Database } from '@svc/database';
import { CallHourStore } from '@svc/usage/store';

/** Edges write every 5 s. Who writes later than this marks the hour again. */
const QUIET_MS = 60_000;
const BATCH = 20;
const SUM_UP_EVERY_MS = 30_000;

/** The task that sums up calls by the hour once the hour is over (docs/decisions/0031). */
export function callHourTasks(database: Database) {
  const hours = new CallHourStore(database);
  const sumUp = async () => ({ more: (await hours.sumUp(BATCH, QUIET_MS)) === BATCH });
  return [{ name: 'call-hours', everyMs: SUM_UP_EVERY_MS, run: sumUp }];
}
