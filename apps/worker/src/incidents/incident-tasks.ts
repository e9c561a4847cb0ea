import { type Catalog } from '@svc/catalog';
import { type Database } from '@svc/database';
import { IncidentFigures, IncidentStore } from '@svc/incidents/store';
import { IncidentFanOut, IncidentWatch } from '@svc/incidents/work';
import { type Logger, type Registry } from '@svc/runtime/observability';
import { deleteOldIncidents } from '../retention/delete-old-incidents';
import { catalogFacts } from './catalog-facts';
import { measureIncidents } from './measure-incidents';
import { tellIncidents } from './tell-incidents';
import { watchCircuits } from './watch-circuits';

const WATCH_CIRCUITS_EVERY_MS = 5_000;
const TELL_INCIDENTS_EVERY_MS = 1_000;
const DELETE_HISTORY_EVERY_MS = 3_600_000;

interface IncidentRuntime {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly catalog: () => Catalog;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly incidentAfterSeconds: number;
}

/** The periodic tasks of incidents, with their metrics. */
export function incidentTasks({
  database,
  logger,
  metrics,
  catalog,
  environment,
  incidentAfterSeconds,
}: IncidentRuntime) {
  measureIncidents(new IncidentFigures(database), metrics, logger);
  const models = catalogFacts(catalog, environment);
  const watch = new IncidentWatch(database);
  const fanOut = new IncidentFanOut(database);
  const incidents = new IncidentStore(database);
  const afterMs = incidentAfterSeconds * 1_000;
  return [
    {
      name: 'incident-watch',
      everyMs: WATCH_CIRCUITS_EVERY_MS,
      run: () => watchCircuits(watch, models, afterMs),
    },
    {
      name: 'incident-fan-out',
      everyMs: TELL_INCIDENTS_EVERY_MS,
      isDue: () => fanOut.isDue(),
      run: () => tellIncidents(fanOut, models, logger),
    },
    {
      name: 'old-incidents',
      everyMs: DELETE_HISTORY_EVERY_MS,
      run: () => deleteOldIncidents(incidents),
    },
  ] as const;
}
