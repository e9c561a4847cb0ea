import { endpointStates } from '@svc/fine-tuning';
import { type FineTuningEndpointFigures } from '@svc/fine-tuning/store';
import { Counter, gaugeAtScrape, type Logger, type Registry } from '@svc/runtime/observability';

/** What operators see of endpoints. */
export class EndpointMetrics {
  private readonly unmetered: Counter;

  constructor(registry: Registry, figures: FineTuningEndpointFigures, logger: Logger) {
    this.unmetered = new Counter({
      name: 'svc_fine_tuning_unmetered_seconds_total',
      help: 'Seconds that endpoints of tuned models ran and nobody paid for.',
      registers: [registry],
    });
    gaugeAtScrape({
      name: 'svc_fine_tuning_endpoints',
      help: 'Endpoints of tuned models, by state.',
      labelNames: ['state'],
      registry,
      logger,
      read: async (gauge) => {
        const counts = await figures.countByState();
        for (const state of endpointStates) gauge.set({ state }, counts.get(state) ?? 0);
      },
    });
  }

  countUnmetered(seconds: number): void {
    this.unmetered.inc(seconds);
  }
}
