import { type Catalog } from '@svc/catalog';
import { type Database } from '@svc/database';
import { IncidentFigures, IncidentStore } from '@svc/incidents/store';
import {
  catalogFacts,
  IncidentFanOut,
  IncidentWatch,
  tellIncidents,
  watchCircuits,
} from '@svc/incidents/work';
import { gaugeAtScrape, type Logger, type Registry } from '@svc/runtime/observability';

interface IncidentRuntime {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly catalog: () => Catalog;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly incidentAfterSeconds: number;
}

const WATCH_CIRCUITS_EVERY_MS = 5_000;
const TELL_EVERY_MS = 1_000;
const DELETE_EVERY_MS = 3_600_000;
/** Resolved incidents (docs/reference/incidents.md). */
const AGE_MAX_MS = 400 * 86_400_000;
const BATCH = 10_000;

/** The periodic tasks of incidents, with their metrics. */
export function incidentTasks(runtime: IncidentRuntime) {
  const { database, logger, metrics, catalog, environment, incidentAfterSeconds } = runtime;
  measureIncidents(new IncidentFigures(database), metrics, logger);
  const models = catalogFacts(catalog, environment);
  const watch = new IncidentWatch(database);
  const fanOut = new IncidentFanOut(database);
  const incidents = new IncidentStore(database);
  return [
    {
      name: 'incident-watch',
      everyMs: WATCH_CIRCUITS_EVERY_MS,
      run: () => watchCircuits(watch, models, incidentAfterSeconds * 1_000),
    },
    {
      name: 'incident-fan-out',
      everyMs: TELL_EVERY_MS,
      isDue: () => fanOut.isDue(),
      run: () => tellIncidents(fanOut, models, logger),
    },
    { name: 'old-incidents', everyMs: DELETE_EVERY_MS, run: () => deleteOldIncidents(incidents) },
  ] as const;
}

/** Deletes incidents that are too old, with what organizations were told of them. */
export const deleteOldIncidents = async (
  incidents: Pick<IncidentStore, 'deleteResolved'>,
): Promise<{ readonly more: boolean }> => ({
  more: await incidents.deleteResolved(AGE_MAX_MS, BATCH),
});

function measureIncidents(figures: IncidentFigures, registry: Registry, logger: Logger): void {
  gaugeAtScrape({
    name: 'svc_incidents_open',
    help: 'Incidents that are not resolved.',
    labelNames: ['severity', 'source'],
    registry,
    logger,
    read: async (gauge) => {
      const open = await figures.open();
      gauge.reset();
      // A series that appears only with its first incident would not be seen to rise.
      for (const severity of ['minor', 'major', 'critical']) {
        for (const source of ['operator', 'automatic']) gauge.set({ severity, source }, 0);
      }
      for (const { count, ...labels } of open) gauge.set(labels, count);
    },
  });
  gaugeAtScrape({
    name: 'svc_incident_fanout_pending',
    help: 'Updates of incidents that not every affected organization has been told of.',
    registry,
    logger,
    read: async (gauge) => {
      gauge.set(await figures.untoldUpdates());
    },
  });
}
