import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/**
 * Each sample wakes the process. A hundred a second, as prom-client takes them, would cost an idle process nearly a percent of
 * a core.
 */
const SAMPLE_EVERY_MS = 100;
/** About 24 days: prom-client's own sampling, which cannot be left out, never takes place. */
export const NEVER_SAMPLED = { eventLoopMonitoringPrecision: 2 ** 31 - 1 };

type Delays = ReturnType<typeof monitorEventLoopDelay>;

/** A delay is the time between two samples, which is {@link SAMPLE_EVERY_MS} without any lag. */
const lagOf = (delayNanoseconds: number): number =>
  Math.max(0, delayNanoseconds / 1e9 - SAMPLE_EVERY_MS / 1e3);

const statistics: Readonly<Record<string, (delays: Delays) => number>> = {
  min: ({ min }) => lagOf(min),
  max: ({ max }) => lagOf(max),
  mean: ({ mean }) => lagOf(mean),
  stddev: ({ stddev }) => stddev / 1e9,
  p50: (delays) => lagOf(delays.percentile(50)),
  p90: (delays) => lagOf(delays.percentile(90)),
  p99: (delays) => lagOf(delays.percentile(99)),
};

/** The gauges of prom-client about the lag of the event loop, by the same names, each since the last scrape. */
export function reportEventLoopLag(registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: SAMPLE_EVERY_MS });
  delays.enable();
  const gauges = Object.entries(statistics).map(([statistic, valueOf]) => {
    const name = `nodejs_eventloop_lag_${statistic}_seconds`;
    registry.removeSingleMetric(name);
    const help = `The ${statistic} of the delays of the event loop, in seconds.`;
    return { gauge: new Gauge({ name, help, registers: [registry], collect: collectAll }), valueOf };
  });
  /** The first gauge's sets all, because they are of the same samples. */
  function collectAll(this: Gauge): void {
    if (this !== gauges[0]?.gauge || delays.count === 0) return;
    for (const { gauge, valueOf } of gauges) gauge.set(valueOf(delays));
    delays.reset();
  }
}
