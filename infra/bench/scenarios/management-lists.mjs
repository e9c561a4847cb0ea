// Lists and summaries of the management API over many stored calls, and over few.
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { root, say } from '../../local/workspace.mjs';
import { freePort, launch } from '../candidates/candidate.mjs';
import { getBytes } from '../candidates/requests.mjs';
import { connectTo, setUp } from '../machine/installation.mjs';
import { summarise } from '../report/summary.mjs';

const FEW = 1_000;
const MANY = 1_000_000;
const QUICK_MANY = 50_000;

const pages = [
  { name: 'first-page', label: 'the first page of requests', path: '/api/v1/requests?limit=100' },
  {
    name: 'rare-filter',
    label: 'requests with a filter that one in a thousand meets',
    path: '/api/v1/requests?limit=20&status=failed',
  },
  { name: 'usage', label: 'usage of 30 days by day and model', path: '/api/v1/usage?group_by=day,model' },
];

export const managementLists = {
  name: 'management-lists',
  title: 'Lists and summaries of the management API',
  async measure(world, { rounds, quick }) {
    const apiKey = `svc_sk_${randomBytes(32).toString('base64url')}`;
    const databaseUrl = await world.installation.newDatabase('lists');
    const environment = { ...world.installation.environment, SVC_DATABASE_URL: databaseUrl };
    setUp(world.node, environment, apiKey);
    const database = await connectTo(databaseUrl);
    const port = await freePort();
    const management = await launch({
      name: 'management',
      node: world.node,
      args: [join(root, 'dist/apps/management/src/main.js')],
      port,
      readyPath: '/readyz',
      cwd: root,
      env: { ...environment, SVC_PORT: String(port) },
    });
    try {
      await fill(database, 1, FEW);
      const few = await measurePages(world, management, apiKey, rounds, FEW);
      const most = quick ? QUICK_MANY : MANY;
      say(`management-lists: storing ${most.toLocaleString('en-US')} calls`);
      await fill(database, FEW + 1, most);
      const many = await measurePages(world, management, apiKey, rounds, most);
      return {
        rows: pages.flatMap(({ name }) => summarise([few.get(name), many.get(name)], few.get(name).name)),
      };
    } finally {
      await management.stop();
      await database.end();
    }
  },
};

/** One caller at a time: measures the latency of a page, not the throughput. */
async function measurePages(world, management, apiKey, rounds, count) {
  const size = count === FEW ? 'few' : 'many';
  const variants = new Map();
  for (const { name, label } of pages) {
    const of = `${label}, ${count.toLocaleString('en-US')} stored`;
    variants.set(name, { name: `${name}-${size}`, label: of, failure: null, rounds: [] });
  }
  for (let round = -1; round < rounds; round++) {
    for (const { name, path } of pages) {
      const cpuBefore = management.cpuMicros();
      const databaseBefore = world.servers.postgresqlMicros();
      const seen = await world.load.run({
        port: management.port,
        requests: [getBytes(path, apiKey)],
        connections: 1,
        durationMs: 700,
      });
      if (seen.failure !== null || seen.errors > 0)
        throw new Error(`${name}: ${seen.failure ?? seen.firstError}`);
      if (round < 0) continue;
      variants.get(name).rounds.push({
        p50Ms: seen.latencyMs.p50,
        p99Ms: seen.latencyMs.p99,
        cpuMicros: (management.cpuMicros() - cpuBefore) / seen.calls,
        postgresqlMicros: (world.servers.postgresqlMicros() - databaseBefore) / seen.calls,
      });
    }
  }
  return variants;
}

/** Stores calls from the first to the last number, as an edge would: over 30 days, of ten models and twenty keys. */
async function fill(database, first, last) {
  const { rows } = await database.query('SELECT id FROM organizations');
  const organizationId = rows[0].id;
  await database.query(
    `INSERT INTO request_records (id, organization_id, api_key_id, edge_instance_id, route, model, stream, status,
       held_nanos, created_at, provider, http_status, attempts, input_tokens, output_tokens, customer_nanos, cost_state,
       ttft_ms, duration_ms, finished_at)
     SELECT 'req_' || lpad(n::text, 26, '0'), $1, 'key_' || lpad((n % 20)::text, 26, '0'), 'edge', 'chat_completions',
       'bench/model-' || n % 10, n % 2 = 0, CASE WHEN n % 1000 = 0 THEN 'failed' ELSE 'succeeded' END,
       200000, at, 'bench', 200, '[{"provider": "bench", "status": 200, "duration_ms": 800}]', 250, 150, 127500, 'final',
       120, 800, at
     FROM (SELECT n, now() - (${MANY} - n) * interval '30 days' / ${MANY} AS at FROM generate_series($2::int, $3::int) n) c`,
    [organizationId, first, last],
  );
  await database.query('DELETE FROM usage_days');
  await database.query(
    `INSERT INTO usage_days
     SELECT organization_id, (created_at AT TIME ZONE 'UTC')::date, '', api_key_id, model, provider, count(*),
       sum(input_tokens), 0, 0, sum(output_tokens), 0, sum(customer_nanos)
     FROM request_records GROUP BY 1, 2, 3, 4, 5, 6`,
  );
  await database.query('VACUUM ANALYZE');
}
