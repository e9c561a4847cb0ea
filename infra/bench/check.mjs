// The guard: whether a call has become much dearer than it was, beside the bare proxy on the same machine at the same time.
import { say } from '../local/workspace.mjs';
import { measureOnce, warmUp } from './measure.mjs';
import { scenarios } from './scenarios/scenarios.mjs';

/** What a core must serve of the bare proxy's calls: about a third below what is measured, so that only a real regression falls under it. */
const CORE_SHARE_MIN = 0.22;
const ROUNDS = 3;
const LOAD = { connections: 64, durationMs: 1500 };

/**
 * Compares the cheapest round of each: neighbours on a machine make calls dearer, never cheaper.
 * @returns whether the bound is kept.
 */
export async function check(world) {
  const scenario = scenarios.find(({ name }) => name === 'plain-1kb');
  const costs = new Map([
    ['bare', []],
    ['svc', []],
  ]);
  const variants = scenario.variants(world).filter(({ name }) => costs.has(name));
  for (const variant of variants) figuresOf(await warmUp(world, { ...scenario, load: LOAD }, variant, false));
  for (let round = 1; round <= ROUNDS; round++) {
    for (const variant of variants) {
      const { cpuMicros } = figuresOf(await measureOnce(world, scenario, variant, LOAD));
      costs.get(variant.name).push(cpuMicros);
    }
  }
  const [bare, svc] = ['bare', 'svc'].map((name) => Math.min(...costs.get(name)));
  const share = bare / svc;
  say(
    `a call costs ${svc.toFixed(0)} µs of CPU, the bare proxy's ${bare.toFixed(0)}: ${share.toFixed(2)} of its calls a core, at least ${CORE_SHARE_MIN} is asked for`,
  );
  return share >= CORE_SHARE_MIN;
}

/** Wrong answers are no regression of speed, and no noise either. */
function figuresOf({ problem, figures }) {
  if (problem !== null) throw new Error(problem);
  return figures;
}
