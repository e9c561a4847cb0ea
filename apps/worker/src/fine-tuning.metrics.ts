import { endpointStates } from '@svc/fine-tuning';
import { type FineTuningEndpointFigures, type FineTuningFigures } from '@svc/fine-tuning/store';
import { Counter, gaugeAtScrape, type Logger, type Registry } from '@svc/runtime/observability';

/** Metrics of jobs. @returns the counter of questions to a provider that came to nothing. */
export function measureJobs(
  figures: Pick<FineTuningFigures, 'jobs'>,
  registry: Registry,
  logger: Logger,
): Counter {
  gaugeAtScrape({
    name: 'svc_fine_tuning_jobs',
    help: 'Fine-tuning jobs of all organizations, by state.',
    labelNames: ['state'],
    registry,
    logger,
    read: async (gauge) => {
      for (const [state, count] of await figures.jobs()) gauge.set({ state }, count);
    },
  });
  const failures = new Counter({
    name: 'svc_fine_tuning_poll_failures_total',
    help: 'Questions to providers of fine-tuning that came to nothing.',
    registers: [registry],
  });
  failures.inc(0);
  return failures;
}

/** Metrics of endpoints. @returns the counter of seconds that nobody paid for. */
export function measureEndpoints(
  figures: Pick<FineTuningEndpointFigures, 'countByState'>,
  registry: Registry,
  logger: Logger,
): Counter {
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
  return new Counter({
    name: 'svc_fine_tuning_unmetered_seconds_total',
    help: 'Seconds that endpoints of tuned models ran and nobody paid for.',
    registers: [registry],
  });
}
