import { alertMetrics, type AlertMetric, type AlertRuleState } from '@svc/alerts';
import { type AlertEvaluation } from '@svc/alerts/store';
import { Counter, Gauge, gaugeAtScrape, type Logger, type Registry } from '@svc/runtime/observability';

const results: readonly AlertRuleState[] = ['ok', 'pending', 'firing', 'no_data'];

/** Metrics of the evaluations of this process, and of the alerts of all organizations. */
export class AlertMetrics {
  private readonly evaluations: Counter<'metric' | 'result'>;
  private readonly failures: Counter<'metric'>;

  constructor(
    private readonly registry: Registry,
    private readonly logger: Logger,
  ) {
    const registers = [registry];
    this.evaluations = new Counter({
      name: 'svc_alert_evaluations_total',
      help: 'Evaluations of alert rules, by the state that came of them.',
      labelNames: ['metric', 'result'],
      registers,
    });
    this.failures = new Counter({
      name: 'svc_alert_evaluation_failures_total',
      help: 'Evaluations of a metric that failed. They change no state.',
      labelNames: ['metric'],
      registers,
    });
    for (const metric of alertMetrics) {
      for (const result of results) this.evaluations.inc({ metric, result }, 0);
      this.failures.inc({ metric }, 0);
    }
  }

  observeEvaluation(metric: AlertMetric, states: readonly AlertRuleState[]): void {
    for (const result of results) {
      this.evaluations.inc({ metric, result }, states.filter((state) => state === result).length);
    }
  }

  observeFailure(metric: AlertMetric): void {
    this.failures.inc({ metric });
  }

  /** Registers gauges that are read at each scrape. */
  watch(evaluation: Pick<AlertEvaluation, 'figures'>): void {
    const { registry, logger } = this;
    const lag = new Gauge({
      name: 'svc_alert_evaluation_lag_seconds',
      help: 'How long the metric has been due that has waited longest for its evaluation.',
      registers: [registry],
    });
    gaugeAtScrape({
      name: 'svc_alerts_firing',
      help: 'Alerts of all organizations that are firing.',
      registry,
      logger,
      read: async (gauge) => {
        const { firingCount, lagSeconds } = await evaluation.figures();
        gauge.set(firingCount);
        lag.set(lagSeconds);
      },
    });
  }
}
