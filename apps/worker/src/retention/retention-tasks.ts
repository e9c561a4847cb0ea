import { type Database, Retention } from '@svc/database';
import { RETENTION_RULES } from './retention-rules';

/** What expires is deleted each minute, and history each hour. */
const EXPIRED_EVERY_MS = 60_000;
const HISTORY_EVERY_MS = 3_600_000;

/** The periodic tasks that delete what no rule keeps. */
export function retentionTasks(database: Database) {
  const retention = new Retention(database);
  return [...new Set(RETENTION_RULES.map(({ task }) => task))].map((name) => {
    const rules = RETENTION_RULES.filter(({ task }) => task === name);
    const everyMs = rules.every(({ keepMs }) => keepMs === 0) ? EXPIRED_EVERY_MS : HISTORY_EVERY_MS;
    return { name, everyMs, run: () => retention.deleteDue(rules) };
  });
}
