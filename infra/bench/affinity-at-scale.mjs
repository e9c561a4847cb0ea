// `npm run bench:scale -- affinity [sessions]`: how much of what conversations send is read from prompt caches when five accounts share them,
// with Svc, LiteLLM and Portkey, and what a session then costs. Writes docs/benchmarks/affinity.md and affinity.svg, unless a number of
// sessions is given. Fails where an answer is none, or Svc reads less than 95 % of what one account reads.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../local/processes.mjs';
import { root, say, serviceNode } from '../local/workspace.mjs';
import { startCandidates } from './affinity/candidates.mjs';
import { catalogOf, providerKeys } from './affinity/catalog.mjs';
import { chartOf } from './affinity/chart.mjs';
import { converse } from './affinity/conversations.mjs';
import { pageOf, percent, tableOf } from './affinity/page.mjs';
import { freePort, launch } from './candidates/candidate.mjs';
import { LITELLM_VERSION } from './candidates/litellm.mjs';
import { install } from './machine/installation.mjs';
import { startServers } from './machine/servers.mjs';
import { describeEnvironment } from './report/environment.mjs';

const TURNS = 20;
const SESSIONS = 40;
const LEAST_SHARE = 0.95;

const wanted = process.argv[2];
const sessions = Number(wanted ?? SESSIONS);
if (!(Number.isInteger(sessions) && sessions > 0)) {
  say('The sessions are a number from 1.');
  process.exit(2);
}
await measure();

async function measure() {
  const node = serviceNode();
  const at = new Date().toISOString();
  const servers = await startServers();
  const simulator = await startSimulator(node);
  const catalogText = catalogOf(`http://127.0.0.1:${simulator.port}/v1`);
  const installation = await install({ node, servers, catalogText, providerKeys });
  const { candidates, stop } = await startCandidates({ node, installation, upstreamPort: simulator.port });
  try {
    const rows = await measureAll(candidates);
    say(tableOf(rows));
    if (wanted === undefined) {
      const { machine, versions } = describeEnvironment({
        node,
        postgresqlVersion: installation.postgresqlVersion,
      });
      await write({
        at,
        sessions,
        turns: TURNS,
        rows,
        machine,
        versions: { ...versions, litellm: LITELLM_VERSION },
      });
    }
    const [direct, svc] = rows;
    if (svc.cachedShare < LEAST_SHARE * direct.cachedShare) process.exitCode = 1;
  } finally {
    await stop();
    await simulator.stop();
    await installation.close();
    await servers.stop();
  }
}

async function startSimulator(node) {
  const port = await freePort();
  const args = [join(root, 'dist/apps/simulator/src/main.js')];
  const env = { SVC_SIMULATOR_PORT: String(port) };
  const running = await launch({
    name: 'the simulator',
    node,
    args,
    port,
    readyPath: '/healthz',
    cwd: root,
    env,
  });
  return { ...running, port };
}

/** @returns for each candidate `cachedShare`, `dollars`, and `beside`: its dollars beside those of the first one. */
async function measureAll(candidates) {
  const rows = [];
  for (const candidate of candidates) {
    const figures = await converse(candidate, candidate.name, { sessions, turns: TURNS });
    rows.push({ name: candidate.name, label: candidate.label, ...figures });
    say(`${candidate.label}: ${percent(figures.cachedShare)} from the cache`);
  }
  return rows.map((row) => ({ ...row, beside: row.dollars / rows[0].dollars }));
}

async function write(report) {
  const folder = join(root, 'docs/benchmarks');
  writeFileSync(join(folder, 'affinity.md'), pageOf(report));
  writeFileSync(join(folder, 'affinity.svg'), chartOf(report));
  const prettier = join(root, 'node_modules/.bin/prettier');
  await run(prettier, ['--log-level', 'warn', '--write', join(folder, 'affinity.md')], {
    onOutput: (chunk) => process.stderr.write(chunk),
  });
}
