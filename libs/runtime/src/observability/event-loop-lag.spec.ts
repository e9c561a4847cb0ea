import { setTimeout as pause } from 'node:timers/promises';
import { createMetrics } from './metrics';

const BLOCKED_MS = 400;

/** The gauges of one scrape, in seconds. */
async function lags(registry: ReturnType<typeof createMetrics>): Promise<Readonly<Record<string, number>>> {
  const lines = (await registry.metrics()).matchAll(/^nodejs_eventloop_lag_(\w+)_seconds\{.*\} (\S+)$/gm);
  return Object.fromEntries(Array.from(lines, ([, name = '', value]) => [name, Number(value)]));
}

const block = (): void => {
  const until = performance.now() + BLOCKED_MS;
  while (performance.now() < until);
};

it('the lag of the event loop is how long it was blocked, without the time between two samples', async () => {
  const registry = createMetrics('edge');
  await pause(BLOCKED_MS);
  block();
  await pause(BLOCKED_MS);
  const measured = await lags(registry);
  expect(Object.keys(measured).toSorted()).toEqual(['max', 'mean', 'min', 'p50', 'p90', 'p99', 'stddev']);
  // The block began in the middle of two samples.
  expect(measured['max']).toBeGreaterThan(BLOCKED_MS / 2 / 1_000);
  expect(measured['min']).toBeLessThan(0.1);
  registry.clear();
});
