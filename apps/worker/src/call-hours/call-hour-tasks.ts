import { CallHourStore, type Database } from '@svc/persistence';
import { deleteOldCallHours } from '../retention/delete-old-call-minutes';

/** Edges write every 5 s. Who writes later than this marks the hour again. */
const QUIET_MS = 60_000;
const BATCH = 20;
const SUM_UP_EVERY_MS = 30_000;
const DELETE_EVERY_MS = 3_600_000;

/** The tasks that sum up calls by the hour once the hour is over (docs/decisions/0031), and delete old sums. */
export function callHourTasks(database: Database) {
  const hours = new CallHourStore(database);
  const sumUp = async () => ({ more: (await hours.sumUp(BATCH, QUIET_MS)) === BATCH });
  return [
    { name: 'call-hours', everyMs: SUM_UP_EVERY_MS, run: sumUp },
    { name: 'old-call-hours', everyMs: DELETE_EVERY_MS, run: () => deleteOldCallHours(hours) },
  ];
}
