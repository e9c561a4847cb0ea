// Resident memory under calls.
import { setTimeout as pause } from 'node:timers/promises';
import { chatCall } from '../candidates/requests.mjs';
import { say } from '../../local/workspace.mjs';
import { spread } from '../report/summary.mjs';
import { candidates } from '../world.mjs';
import { figure } from './variant.mjs';

const CALLS = 40_000;
const FULL_CALLS = 500_000;
const QUICK_CALLS = 5_000;
const PORTIONS = 10;
/**
 * A heap first grows to its working size, in steps, because the engine keeps collected pages: 300,000 calls are warm-up,
 * and the last 200,000 count.
 */
const WARM_PORTIONS = 6;
const TELL_EVERY = 2;
const SETTLE_MS = 300;

export const memory = {
  name: 'memory',
  title: 'Resident memory over many calls',
  hidden: ['callsPerSecond'],
  async measure(world, { quick, full }) {
    const calls = full ? FULL_CALLS : quick ? QUICK_CALLS : CALLS;
    const rows = [];
    const problems = [];
    for (const name of ['bare', 'svc']) {
      const samples = await samplesOf(world, name, calls, problems);
      const [first, last] = [samples[WARM_PORTIONS], samples.at(-1)];
      const label = `${candidates[name].label}, ${calls.toLocaleString('en-US')} calls`;
      const figures = {
        firstMegabytes: spread([first]),
        lastMegabytes: spread([last]),
        mostMegabytes: spread([Math.max(...samples)]),
        growth: spread([last / first - 1]),
      };
      rows.push({ name, label, candidate: name, calls, samples, figures, ratios: {} });
    }
    return { rows, problems };
  },
  /** A shorter run would only show the growth of the heap to its working size. */
  promises: (rows) =>
    rows.some(({ calls }) => calls < FULL_CALLS)
      ? []
      : [{ promise: 'growth of resident memory', value: figure(rows, 'svc', 'growth'), atMost: 0.1 }],
};

/** Measures a new process, because a used one has already grown. @returns megabytes, at first and after each portion. */
async function samplesOf(world, name, calls, problems) {
  const candidate = await candidates[name].start(world);
  const requests = candidates[name].requests(chatCall('plain'), candidate);
  const samples = [candidate.residentMegabytes()];
  try {
    for (let portion = 1; portion <= PORTIONS; portion++) {
      const { failure, errors, firstError } = await world.load.run({
        port: candidate.port,
        requests,
        connections: 64,
        callsMax: calls / PORTIONS,
      });
      if (failure !== null) throw new Error(`${name}: ${failure}`);
      if (errors > 0)
        problems.push(`${name}: ${errors} answers were not expected, the first with ${firstError}`);
      await pause(SETTLE_MS);
      samples.push(candidate.residentMegabytes());
      if (portion % TELL_EVERY === 0) say(`memory: ${name}: ${portion} of ${PORTIONS}`);
    }
  } finally {
    await candidate.stop();
  }
  return samples;
}
