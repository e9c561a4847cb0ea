// Calls of the edge at a steady rate, alone and beside work of another service. As they are deployed, neither takes the processor of the other.
import { chatCall } from './candidates/requests.mjs';
import { moveToFirstCore } from './machine/processes.mjs';

const CALLS_PER_SECOND = 50;
const CONNECTIONS = 16;
const WINDOW_MS = 5_000;
const NOISE_MAX = 1.5;
const median = (figures) => figures.toSorted((a, b) => a - b)[figures.length >> 1];
const shown = (figure) => figure.toFixed(1);

/** Calls at a steady rate, for so many windows, or until `until` is resolved. @returns the p99 of each window, in milliseconds. */
export async function steadyCalls(world, { windows = Infinity, until }) {
  const edge = await world.runningOf('svc');
  const requests = await world.requestsOf('svc', chatCall('plain'));
  let isOver = false;
  const end = () => (isOver = true);
  // Whoever awaits `until` hears of its failure.
  void until?.then(end, end);
  const found = [];
  while (found.length < windows && !isOver) {
    const seen = await world.load.run({
      port: edge.port,
      requests,
      connections: CONNECTIONS,
      durationMs: WINDOW_MS,
      ratePerSecond: CALLS_PER_SECOND,
    });
    if (seen.failure !== null || seen.errors > 0) throw new Error(seen.failure ?? seen.firstError);
    found.push(seen.latencyMs.p99);
  }
  return found;
}

/** One line about windows without and beside other work. */
export const besideWords = (alone, beside, work) =>
  `p99 of calls: ${shown(median(alone))} ms alone, ${shown(median(beside))} ms beside the ${work} ` +
  `(${shown(Math.max(...alone))} and ${shown(Math.max(...beside))} in the worst of ${alone.length} and ${beside.length} windows)`;

/** Whether calls beside the work were no slower than calls without it, but for noise. */
export const isUnharmed = (alone, beside) => median(beside) <= NOISE_MAX * median(alone);

/**
 * Moves this process, and whatever it starts from now on, off the cores of what it started before.
 * @param others what leaveFirstCore() returned
 * @returns a description
 */
export function placeTheRest(others, names) {
  if (others === null || !moveToFirstCore()) return 'not pinned: everything shares all cores';
  return `${names} on core 0; the edge, its calls, PostgreSQL and Redis on core ${others}`;
}
