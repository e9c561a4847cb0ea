import { type Database } from '@svc/database';
import { type Logger, type Registry } from '@svc/runtime/observability';
import { CallHourStore, MoneyFigures } from '@svc/usage/store';
import { measureOrganizations } from './usage.metrics';

interface UsageRuntime {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly organizationMetrics: boolean;
}

const SUM_UP_EVERY_MS = 30_000;
/** Edges write every 5 s. Who writes later than this marks the hour again. */
const QUIET_MS = 60_000;
const BATCH = 20;

/** The task that sums up calls by the hour once the hour is over (docs/decisions/0031). */
export function usageTasks({ database, logger, metrics, organizationMetrics }: UsageRuntime) {
  if (organizationMetrics) measureOrganizations({ figures: new MoneyFigures(database), metrics, logger });
  const hours = new CallHourStore(database);
  const sumUp = async () => ({ more: (await hours.sumUp(BATCH, QUIET_MS)) === BATCH });
  return [{ name: 'call-hours', everyMs: SUM_UP_EVERY_MS, run: sumUp }];
}
