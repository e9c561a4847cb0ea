import { alertMetrics, type AlertMetric, type AlertRuleState } from '@svc/alerts';
import { AlertEvaluation } from '@svc/alerts/store';
import { type Catalog, type ModelEndpoint } from '@svc/catalog';
import { type Database } from '@svc/database';
import { Counter, Gauge, gaugeAtScrape, type Logger, type Registry } from '@svc/runtime/observability';

interface AlertRuntime {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly alertTickSeconds: number;
  readonly catalog: () => Catalog;
}

/** How often the worker looks for a metric that is due. */
const EVALUATE_EVERY_MS = 1_000;

/** The periodic tasks of alerts. */
export function alertTasks({ database, logger, metrics: registry, alertTickSeconds, catalog }: AlertRuntime) {
  const evaluation = new AlertEvaluation(database);
  const metrics = new AlertMetrics(registry, logger);
  metrics.watch(evaluation);
  const endpoints = () => [...catalog().models.values()].flatMap((model) => model.endpoints);
  const parts = { evaluation, metrics, logger, tickSeconds: alertTickSeconds, endpoints };
  const isDue = () => evaluation.isDue();
  return [{ name: 'alert-rules', everyMs: EVALUATE_EVERY_MS, isDue, run: () => evaluateAlerts(parts) }];
}

interface AlertParts {
  readonly evaluation: Pick<AlertEvaluation, 'claim' | 'judge' | 'recordObservations' | 'finish'>;
  readonly metrics: Pick<AlertMetrics, 'observeEvaluation' | 'observeFailure'>;
  readonly logger: Logger;
  /** From one evaluation of a metric to the next: `SVC_ALERT_TICK_SECONDS`. */
  readonly tickSeconds: number;
  /** Of the catalog as last loaded. */
  readonly endpoints: () => readonly Pick<ModelEndpoint, 'id' | 'region' | 'dataRetention'>[];
}

/** Evaluates the alert rules of one metric that is due (docs/reference/alerts.md#evaluation). */
export async function evaluateAlerts(parts: AlertParts): Promise<{ readonly more: boolean }> {
  const { evaluation, metrics, logger, tickSeconds, endpoints } = parts;
  const claim = await evaluation.claim();
  if (claim === null) return { more: false };
  const { metric } = claim;
  try {
    const observed = await evaluation.judge(metric, endpoints());
    if (await evaluation.recordObservations(claim, observed)) {
      const states = observed.map(({ verdict }) => verdict.standing.state);
      metrics.observeEvaluation(metric, states);
    } else {
      logger.warn({ metric }, 'alert rules were evaluated for too long; another worker has taken over');
    }
  } catch (error) {
    // An evaluation that was not committed is done anew by the next tick.
    metrics.observeFailure(metric);
    logger.error({ err: error, metric }, 'alert rules not evaluated');
  }
  await evaluation.finish(claim, tickSeconds);
  return { more: true };
}

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
