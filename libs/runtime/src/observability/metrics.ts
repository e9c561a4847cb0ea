import { collectDefaultMetrics, Counter, Registry } from 'prom-client';
import { NEVER_SAMPLED, reportEventLoopLag } from './event-loop-lag';

export { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** A process's Prometheus registry, with Node's default metrics. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, ...NEVER_SAMPLED });
  reportEventLoopLag(registry);
  return registry;
}

/**
 * The registry's counter of this name. It is made where there is none, so that several parts of a process can count
 * together.
 */
export function sharedCounter(registry: Registry, { name, help }: { name: string; help: string }): Counter {
  const counter = registry.getSingleMetric(name);
  return counter instanceof Counter ? counter : new Counter({ name, help, registers: [registry] });
}
