// Interleaved rounds: each round runs every variant of a scenario once.
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../local/workspace.mjs';
import { summarise } from './report/summary.mjs';
import { candidates } from './world.mjs';

const SETTLE_MS = 150;
const MOSTLY = 0.99;

/**
 * @returns `rows`, one for each variant: its figures as median, min and max of the rounds, and `ratios`, each taken within
 * one round, to the scenario's baseline; and `problems`: wrong answers.
 */
export async function measureScenario(world, scenario, { rounds, quick }) {
  const variants = [];
  const problems = [];
  for (const variant of scenario.variants(world)) {
    const { isPeer = false } = candidates[variant.candidate];
    const { works, problem } = await warmUp(world, scenario, variant, quick).catch((error) => {
      if (!isPeer) throw error;
      return { works: false, problem: `${variant.name}: ${error.message}` };
    });
    variants.push({ ...variant, failure: works ? null : problem, rounds: [] });
    // What a peer cannot do is in the report, and does not fail the run.
    if (problem !== null && (works || !isPeer)) problems.push(problem);
  }
  const short = quick ? { durationMs: 1000, ...scenario.quickLoad } : {};
  for (let round = 0; round < rounds; round++) {
    for (const variant of variants.filter(({ failure }) => failure === null)) {
      const measured = await measureOnce(world, scenario, variant, { ...scenario.load, ...short });
      variant.rounds.push(measured.figures);
      if (measured.problem !== null) problems.push(measured.problem);
    }
    say(`${scenario.name}: round ${round + 1} of ${rounds}`);
  }
  const rows = summarise(variants, scenario.baseline);
  return { rows: (await scenario.finish?.(world, rows)) ?? rows, problems };
}

/** Also checks that a variant works: one that does not is left out, with the reason in the report. */
export async function warmUp(world, scenario, variant, quick) {
  if (variant.first !== undefined) await measureOnce(world, scenario, variant, variant.first);
  const short = quick ? { durationMs: 700, ...scenario.quickLoad } : scenario.warmUp;
  return measureOnce(world, scenario, variant, { ...scenario.load, ...short });
}

export async function measureOnce(world, scenario, variant, load) {
  const running = await world.runningOf(variant.candidate);
  const requests = await world.requestsOf(variant.candidate, variant.call);
  const costs = costsOf(world, running);
  await pause(SETTLE_MS);
  let before;
  const job = {
    port: running.port,
    requests,
    expected: variant.expected ?? [200],
    unique: variant.unique ?? false,
    framesMin: scenario.framesMin ?? 0,
    ...load,
  };
  const seen = await world.load.run(job, () => {
    before = costs();
  });
  const after = costs();
  const spent = Object.fromEntries(
    Object.keys(after).map((name) => [name, (after[name] - before[name]) / seen.answers]),
  );
  return {
    figures: figuresOf(seen, spent, running, load),
    works: seen.failure === null && seen.errors <= seen.calls / 2,
    problem: problemOf(seen, variant),
  };
}

function problemOf({ calls, errors, firstError, failure, statuses }, { name, mostly }) {
  if (failure !== null) return `${name}: ${failure}`;
  if (errors > 0)
    return `${name}: ${errors} of ${calls} answers were not expected, the first with ${firstError}`;
  // Of two expected statuses, one must dominate.
  if (mostly === undefined || statuses[mostly] >= calls * MOSTLY) return null;
  return `${name}: only ${statuses[mostly] ?? 0} of ${calls} answers were ${mostly}`;
}

/** CPU so far, in microseconds, of all processes that work for a variant. */
const costsOf = (world, running) => () => ({
  cpuMicros: running.cpuMicros(),
  upstreamMicros: world.upstream.cpuMicros(),
  ...(running.usesServers
    ? { postgresqlMicros: world.servers.postgresqlMicros(), redisMicros: world.servers.redisMicros() }
    : {}),
});

function figuresOf(seen, spent, running, load) {
  const callsPerSecond = seen.calls / seen.seconds;
  const frameMicros = (spent.cpuMicros * seen.calls) / seen.frames;
  return {
    callsPerSecond,
    ...spent,
    loadMicros: seen.loadCpuMicros / seen.calls,
    callsPerCoreSecond: 1e6 / spent.cpuMicros,
    busy: (spent.cpuMicros * callsPerSecond) / 1e6,
    p50Ms: seen.latencyMs?.p50,
    p99Ms: seen.latencyMs?.p99,
    residentMegabytes: running.residentMegabytes(),
    ...(load.ratePerSecond === undefined ? {} : { lateP99Ms: seen.lateMs?.p99 }),
    ...(seen.frames === 0
      ? {}
      : {
          framesPerSecond: seen.frames / seen.seconds,
          framesPerCoreSecond: 1e6 / frameMicros,
          frameMicros,
          firstByteP50Ms: seen.firstByteMs?.p50,
          firstByteP99Ms: seen.firstByteMs?.p99,
          gapP50Ms: seen.gapMs?.p50,
          gapP99Ms: seen.gapMs?.p99,
        }),
  };
}
