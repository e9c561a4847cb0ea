import { type IncidentFigures } from '@svc/persistence';
import { Gauge, type Logger, type Registry } from '@svc/platform';

/** Gauges of incidents, read at each scrape. The other metrics stay useful when the database is unreachable. */
export function measureIncidents(
  figures: Pick<IncidentFigures, 'open' | 'untoldUpdates'>,
  metrics: Registry,
  logger: Logger,
): void {
  new Gauge({
    name: 'svc_incidents_open',
    help: 'Incidents that are not resolved.',
    labelNames: ['severity', 'source'],
    registers: [metrics],
    async collect() {
      try {
        const open = await figures.open();
        this.reset();
        // A series that appears only with its first incident would not be seen to rise.
        for (const severity of ['minor', 'major', 'critical']) {
          for (const source of ['operator', 'automatic']) this.set({ severity, source }, 0);
        }
        for (const { count, ...labels } of open) this.set(labels, count);
      } catch (error) {
        logger.warn({ err: error }, 'incidents not counted');
      }
    },
  });
  new Gauge({
    name: 'svc_incident_fanout_pending',
    help: 'Updates of incidents that not every affected organization has been told of.',
    registers: [metrics],
    async collect() {
      try {
        this.set(await figures.untoldUpdates());
      } catch (error) {
        logger.warn({ err: error }, 'untold updates not counted');
      }
    },
  });
}
