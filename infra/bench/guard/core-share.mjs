// Checks that a call has not become much dearer, relative to the bare proxy on the same machine at the same time.
import { say } from '../../local/workspace.mjs';
import { measureOnce, warmUp } from '../measure.mjs';
import { scenarios } from '../scenarios/scenarios.mjs';

/**
 * The least share of the bare proxy's calls per core that Svc must serve. It is half of the share on a quiet machine, because
 * noisy neighbours slow our calls more than the proxy's. A lower share means that a call costs twice as much as before.
 */
const CORE_SHARE_MIN = 0.19;
const ROUNDS_MAX = 6;
const LOAD = { connections: 64, durationMs: 1500 };

/** Compares the cheapest round of each, because noisy neighbours only make calls dearer. Ends when the bound is kept. */
export async function checkCoreShare(world) {
  const scenario = scenarios.find(({ name }) => name === 'plain-1kb');
  const cheapest = { bare: Infinity, svc: Infinity };
  const variants = scenario.variants(world).filter(({ name }) => Object.hasOwn(cheapest, name));
  for (const variant of variants) figuresOf(await warmUp(world, { ...scenario, load: LOAD }, variant, false));
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    for (const variant of variants) {
      const { cpuMicros } = figuresOf(await measureOnce(world, scenario, variant, LOAD));
      cheapest[variant.name] = Math.min(cheapest[variant.name], cpuMicros);
    }
    const share = cheapest.bare / cheapest.svc;
    say(
      `a call costs ${cheapest.svc.toFixed(0)} µs of CPU, the bare proxy's ${cheapest.bare.toFixed(0)}: ${share.toFixed(2)} of its calls a core, at least ${CORE_SHARE_MIN} is asked for`,
    );
    if (round > 1 && share >= CORE_SHARE_MIN) return true;
  }
  return false;
}

/** Throws for wrong answers: they are neither a regression of speed nor noise. */
function figuresOf({ problem, figures }) {
  if (problem !== null) throw new Error(problem);
  return figures;
}
