import { AlertEvaluation } from '@svc/alerts/store';
import { type Catalog } from '@svc/catalog';
import { type Database } from '@svc/database';
import { type Logger, type Registry } from '@svc/runtime/observability';
import { AlertMetrics } from './alert-metrics';
import { evaluateAlerts } from './evaluate-alerts';

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
