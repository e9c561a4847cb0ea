import { type FineTuningFigures } from '@svc/fine-tuning/store';
import { Counter, gaugeAtScrape, type Logger, type Registry } from '@svc/runtime/observability';

/** What operators see of fine-tuning. @returns what counts a question to a provider that came to nothing. */
export function measureFineTuning(
  figures: Pick<FineTuningFigures, 'jobs'>,
  registry: Registry,
  logger: Logger,
): () => void {
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
  return () => {
    failures.inc();
  };
}
