// `npm run bench:scale -- exports [rows]`: exports calls of one organization, 10,000,000 unless another number is given. Says what the worker's memory
// grew by, how fast it was beside PostgreSQL's own COPY of the same rows, and what calls of the edge took meanwhile. Fails where the memory grew
// by 150 MiB, a row is missing, or calls were slower beside the export by more than half than without one.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { down, up } from '../local/servers.mjs';
import { root, say, serviceNode } from '../local/workspace.mjs';
import { freePort, launch } from './candidates/candidate.mjs';
import { leaveFirstCore } from './machine/processes.mjs';
import { folder } from './machine/servers.mjs';
import { besideWords, isUnharmed, placeTheRest, steadyCalls } from './steady-calls.mjs';
import { openWorld } from './world.mjs';

const ROWS = Number(process.argv[2] ?? 10_000_000);
const PORTION = 1_000_000;
/** Calls in the same millisecond: the prefix of an id is expensive, and made once for all of them. */
const AT_ONCE = 100;
const GROWTH_MAX_MEBIBYTES = 150;
const WINDOWS = 6;
const SAMPLE_EVERY_MS = 200;
const POLL_MS = 500;
const MEBIBYTE = 1_048_576;
/**
 * The heap that Node.js takes of the 384 MiB of the worker's container. On a machine with more memory V8 collects later: what is in use stays the same, but
 * some 150 MiB of garbage would be counted.
 */
const WORKER_HEAP = '--max-old-space-size=96 --max-semi-space-size=1';

async function measure() {
  const others = leaveFirstCore();
  const world = await openWorld({ node: serviceNode() });
  const kafkaFolder = join(folder, 'kafka-server');
  try {
    const environment = {
      ...world.installation.environment,
      ...(await up(kafkaFolder, ['kafka'])),
      SVC_DATA_DIR: join(folder, 'data'),
    };
    await storeCalls(world.installation.database);
    await world.runningOf('svc');
    say(placeTheRest(others, 'the worker'));
    const worker = await start(world, 'worker', {
      ...environment,
      NODE_OPTIONS: WORKER_HEAP,
      // The calls that are measured beside it are rows of it, too.
      SVC_EXPORT_MAX_ROWS: String(2 * ROWS),
    });
    const management = await start(world, 'management', environment);
    // The worker does what it has to do for new calls at its start.
    await pause(15_000);
    const before = await steadyCalls(world, { windows: WINDOWS });
    const memory = watchMemory(worker);
    const done = exportAll(management, world.installation.apiKey);
    const beside = await steadyCalls(world, { until: done });
    const { seconds, record } = await done;
    const growth = memory.end();
    // A machine is faster at one time than at another.
    const alone = [...before, ...(await steadyCalls(world, { windows: WINDOWS }))];
    report({ alone, beside, seconds, record, growth, copySeconds: await copy(world.installation.database) });
    await Promise.all([worker.stop(), management.stop()]);
  } finally {
    await down(kafkaFolder, ['kafka']);
    await world.close();
  }
}

async function start({ node }, name, environment) {
  const port = await freePort();
  const args = [join(root, `dist/apps/${name}/src/main.js`)];
  const env = { ...environment, SVC_PORT: String(port) };
  return launch({ name, node, args, port, readyPath: '/readyz', cwd: root, env });
}

/** In the order of their time, over the last 20 days, of the first organization. */
async function storeCalls(database) {
  await database.query(`SELECT make_request_month(now() - interval '1 month')`);
  const step = (20 * 86_400) / (ROWS / AT_ONCE);
  for (let stored = 0; stored < ROWS; stored += PORTION) {
    const until = Math.min(stored + PORTION, ROWS);
    await database.query(
      `WITH moments AS MATERIALIZED (
         SELECT moment, at, left(request_id_at(at), 14) AS time FROM generate_series($1::bigint, $2::bigint) AS moment,
           LATERAL (SELECT now() - interval '20 days' + moment * $3::float8 * interval '1 s') AS t (at)
       )
       INSERT INTO request_records (id, organization_id, api_key_id, edge_instance_id, route, model, stream, status, held_nanos,
         created_at, provider, http_status, attempts, input_tokens, output_tokens, customer_nanos, cost_state, ttft_ms, duration_ms,
         finished_at)
       SELECT time || left(md5(n::text), 4) || lpad(to_hex(n), 12, '0'), (SELECT min(organization_id) FROM api_keys WHERE id IN
           (SELECT id FROM api_keys ORDER BY created_at LIMIT 1)), 'key_' || lpad((n % 20)::text, 26, '0'), 'edge', 'chat_completions',
         'bench/model-' || n % 10, n % 2 = 0, 'succeeded', 200000, at, 'bench', 200,
         '[{"provider": "bench", "status": 200, "duration_ms": 800}]', 250, 150, 127500, 'final', 120, 800, at
       FROM moments, generate_series(moment * ${AT_ONCE}, (moment + 1) * ${AT_ONCE} - 1) AS n`,
      [stored / AT_ONCE, until / AT_ONCE - 1, step],
    );
    say(`stored ${until.toLocaleString('en-US')} calls`);
  }
  await database.query('VACUUM ANALYZE request_records');
  // The stored rows are on the disk before anything is measured.
  await database.query('CHECKPOINT');
}

/** Asks for the export, and waits until it has ended. */
async function exportAll({ port }, apiKey) {
  const call = async (method, path, body) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const startedAtMs = performance.now();
  const range = {
    start: new Date(Date.now() - 25 * 86_400_000).toISOString(),
    end: new Date().toISOString(),
  };
  let record = await call('POST', '/exports', { kind: 'requests', format: 'csv', ...range });
  for (let polls = 0; ['queued', 'running'].includes(record.state); polls++) {
    await pause(POLL_MS);
    record = await call('GET', `/exports/${record.id}`);
    if (polls % 60 === 0) say(`exported ${record.progress.rows.toLocaleString('en-US')} rows`);
  }
  return { record, seconds: (performance.now() - startedAtMs) / 1000 };
}

/** Of the process, over what it had before. */
function watchMemory(process) {
  const before = process.residentMegabytes();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.residentMegabytes())), SAMPLE_EVERY_MS);
  return {
    end: () => {
      clearInterval(timer);
      return ((most - before) * 1e6) / MEBIBYTE;
    },
  };
}

/** Seconds that PostgreSQL takes to write the same rows as CSV, in the same order. */
async function copy(database) {
  const startedAtMs = performance.now();
  await database.query(
    `COPY (SELECT * FROM request_records ORDER BY id) TO '/dev/null' (FORMAT csv, HEADER)`,
  );
  return (performance.now() - startedAtMs) / 1000;
}

function report({ alone, beside, seconds, record, growth, copySeconds }) {
  const shown = (figure) => figure.toFixed(1);
  if (record.state !== 'completed') throw new Error(`The export is ${record.state}: ${record.failure_code}`);
  const [rate, copyRate] = [record.row_count / seconds, ROWS / copySeconds];
  say(`rows: ${record.row_count.toLocaleString('en-US')}, ${shown(record.bytes / 1e6)} MB`);
  say(`memory of the worker: grew by ${shown(growth)} MiB at most`);
  say(
    `export: ${shown(seconds)} s, ${rate.toFixed(0)} rows a second; COPY: ${shown(copySeconds)} s; ratio ${(rate / copyRate).toFixed(3)}`,
  );
  say(besideWords(alone, beside, 'export'));
  if (growth >= GROWTH_MAX_MEBIBYTES || record.row_count < ROWS || !isUnharmed(alone, beside)) {
    process.exitCode = 1;
  }
}

process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
await measure();
