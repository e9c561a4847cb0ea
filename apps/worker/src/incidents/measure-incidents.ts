import { type IncidentFigures } from '@svc/incidents/store';
import { gaugeAtScrape, type Logger, type Registry } from '@svc/runtime/observability';

/** Gauges of incidents. */
export function measureIncidents(
  figures: Pick<IncidentFigures, 'open' | 'untoldUpdates'>,
  registry: Registry,
  logger: Logger,
): void {
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
