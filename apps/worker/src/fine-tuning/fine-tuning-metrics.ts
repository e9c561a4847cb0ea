import { type FineTuningFigures } from '@svc/persistence';
import { Counter, Gauge, type Logger, type Registry } from '@svc/platform';

/** What operators see of fine-tuning. @returns what counts a question to a provider that came to nothing. */
export function measureFineTuning(
  figures: Pick<FineTuningFigures, 'jobs'>,
  registry: Registry,
  logger: Logger,
): () => void {
  new Gauge({
    name: 'svc_fine_tuning_jobs',
    help: 'Fine-tuning jobs of all organizations, by state.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      try {
        for (const [state, count] of await figures.jobs()) this.set({ state }, count);
      } catch (error) {
        // The other metrics stay useful when the database is unreachable.
        logger.warn({ err: error }, 'fine-tuning jobs not counted');
      }
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
