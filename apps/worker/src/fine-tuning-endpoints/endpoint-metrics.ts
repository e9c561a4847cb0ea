import { endpointStates } from '@svc/fine-tuning';
import { type FineTuningEndpointFigures } from '@svc/persistence';
import { Counter, Gauge, type Logger, type Registry } from '@svc/platform';

/** What operators see of endpoints. */
export class EndpointMetrics {
  private readonly unmetered: Counter;

  constructor(registry: Registry, figures: FineTuningEndpointFigures, logger: Logger) {
    this.unmetered = new Counter({
      name: 'svc_fine_tuning_unmetered_seconds_total',
      help: 'Seconds that endpoints of tuned models ran and nobody paid for.',
      registers: [registry],
    });
    new Gauge({
      name: 'svc_fine_tuning_endpoints',
      help: 'Endpoints of tuned models, by state.',
      labelNames: ['state'],
      registers: [registry],
      async collect() {
        try {
          const counts = await figures.countByState();
          for (const state of endpointStates) this.set({ state }, counts.get(state) ?? 0);
        } catch (error) {
          // The other metrics stay useful when the database is unreachable.
          logger.warn({ err: error }, 'endpoints not counted');
        }
      },
    });
  }

  countUnmetered(seconds: number): void {
    this.unmetered.inc(seconds);
  }
}
