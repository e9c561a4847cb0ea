import { type ModelEndpoint } from '@svc/catalog';
import { type AlertEvaluation } from '@svc/alerts/store';
import { type Logger } from '@svc/runtime/observability';
import { type AlertMetrics } from './alert-metrics';

interface AlertParts {
  readonly evaluation: Pick<AlertEvaluation, 'claim' | 'judge' | 'record' | 'finish'>;
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
    if (await evaluation.record(claim, observed)) {
      const states = observed.map(({ verdict }) => verdict.standing.state);
      metrics.observeEvaluation(metric, states);
    } else {
      logger.warn({ metric }, 'alert rules were evaluated for too long; another worker has taken over');
    }
  } catch (error) {
    // What was not committed is evaluated anew by the next tick.
    metrics.observeFailure(metric);
    logger.error({ err: error, metric }, 'alert rules not evaluated');
  }
  await evaluation.finish(claim, tickSeconds);
  return { more: true };
}
