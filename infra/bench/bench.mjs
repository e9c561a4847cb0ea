// `npm run bench`: measures Svc beside its baselines, in one run on this machine. `--help` lists its options.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../local/build.mjs';
import { root, say, secondsSince, serviceNode } from '../local/workspace.mjs';
import { guard } from './guard/guard.mjs';
import { divideCores } from './machine/processes.mjs';
import { measureScenario } from './measure.mjs';
import { describeEnvironment } from './report/environment.mjs';
import { publishedIsCurrent } from './report/published.mjs';
import { holds, promiseLine, tableOf } from './report/table.mjs';
import { writeReport } from './report/write.mjs';
import { scenarios } from './scenarios/scenarios.mjs';
import { openWorld } from './world.mjs';

const { values: options } = parseArgs({
  options: {
    scenario: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    output: { type: 'string' },
    external: { type: 'string' },
    'upstream-port': { type: 'string', default: '0' },
    check: { type: 'boolean', default: false },
    published: { type: 'boolean', default: false },
  },
});

await main();

async function main() {
  const chosen = chosenScenarios();
  const rounds = Number(options.rounds);
  if (chosen === null || !(Number.isInteger(rounds) && rounds > 0)) {
    say(`The scenarios are ${scenarios.map(({ name }) => name).join(', ')}; rounds are a number from 1.`);
    process.exitCode = 2;
    return;
  }
  if (options.published) {
    process.exitCode = publishedIsCurrent() ? 0 : 1;
    return;
  }
  const startedAtMs = Date.now();
  const node = serviceNode();
  const pinning = divideCores();
  await build();
  if (options.check) {
    process.exitCode = (await guard(node)) ? 0 : 1;
    return;
  }
  const world = await openWorld({
    node,
    upstreamPort: Number(options['upstream-port']),
    external: options.external,
  });
  try {
    const settings = { rounds, quick: options.quick, full: options.full };
    const measured = [];
    for (const scenario of chosen) measured.push(await measure(world, scenario, settings));
    const { postgresqlVersion } = world.installation;
    const report = {
      at: new Date(startedAtMs).toISOString(),
      seconds: (Date.now() - startedAtMs) / 1000,
      settings,
      ...describeEnvironment({ node, pinning, postgresqlVersion }),
      harness: harnessOf(measured),
      scenarios: measured,
    };
    const isWhole = options.scenario === undefined && !options.quick;
    const folder = options.output ?? (isWhole ? join(root, 'docs/benchmarks') : null);
    if (folder !== null) await writeReport(folder, report, { isPublished: options.output === undefined });
    say([pinning, secondsSince(startedAtMs), folder && `written to ${folder}`].filter(Boolean).join('; '));
  } finally {
    await world.close();
  }
}

/** Null when one of them does not exist. */
function chosenScenarios() {
  if (options.scenario === undefined) return scenarios;
  const chosen = options.scenario.split(',').map((wanted) => scenarios.find(({ name }) => name === wanted));
  return chosen.includes(undefined) ? null : chosen;
}

/** A failed scenario does not stop the others: it is in the report, and the run exits with 1. */
async function measure(world, scenario, settings) {
  const { name, title, baseline, hidden } = scenario;
  const entry = { name, title, baseline, hidden };
  try {
    const measured = scenario.measure?.(world, settings) ?? measureScenario(world, scenario, settings);
    const { rows, problems = [] } = await measured;
    const promises = (scenario.promises?.(rows) ?? []).map((promise) => ({
      ...promise,
      kept: holds(promise),
    }));
    const failed = problems.map((problem) => `FAILED: ${problem}`);
    say(['', title, '', tableOf(scenario, rows), ...promises.map(promiseLine), ...failed, ''].join('\n'));
    if (problems.length > 0) process.exitCode = 1;
    return { ...entry, rows, promises, problems };
  } catch (error) {
    say(`\n${title}\n\nFAILED: ${error.stack}\n`);
    process.exitCode = 1;
    return { ...entry, rows: [], promises: [], problems: [error.message] };
  }
}

/** The cost of the load and the upstream, relative to the cheapest candidate; null when not measured. */
function harnessOf(measured) {
  const rows = measured.find(({ name }) => name === 'plain-1kb')?.rows ?? [];
  if (rows.length === 0) return null;
  const [direct, bare] = ['direct', 'bare'].map((wanted) => rows.find(({ name }) => name === wanted).figures);
  return {
    loadMicros: direct.loadMicros.median,
    upstreamMicros: direct.upstreamMicros.median,
    bareMicros: bare.cpuMicros.median,
  };
}
