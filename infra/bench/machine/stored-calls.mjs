// Past calls, as edges would have stored them.
import { idOf } from './organizations.mjs';

const MONTHS = 6;
/** Calls in one statement. */
const PORTION = 1_000_000;
/** Calls in the same millisecond: the prefix of an id is expensive, and made once for all of them. */
const AT_ONCE = 100;

/**
 * Stores `count` settled calls with their charges and usage, in the order of their time: over six months until now, of all
 * organizations and of one key of theirs a day.
 * @param progress called with the number stored so far.
 * @returns bytes of calls and charges on disk, indexes included. Rows are written once here, so they are denser than those that an
 * edge writes and then settles, until VACUUM reuses the free space.
 */
export async function storeCalls(database, { count, organizations, keysEach }, progress) {
  const now = new Date();
  const fromMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1);
  const secondsEach = ((now.getTime() - fromMs) / 1000 / count) * AT_ONCE;
  await makeMonths(database);
  const before = await bytesOfCalls(database);
  for (let stored = 0; stored < count;) {
    const until = Math.min(stored + PORTION, count);
    const range = [stored / AT_ONCE, until / AT_ONCE - 1];
    await database.query(calls(organizations, keysEach), [...range, fromMs / 1000, secondsEach]);
    stored = until;
    progress(stored);
  }
  await database.query(usage);
  await database.query('VACUUM ANALYZE');
  return (await bytesOfCalls(database)) - before;
}

/** Creates monthly partitions: a database that was migrated empty has one for all of the past. */
async function makeMonths(database) {
  await database.query(`SELECT drop_request_month(now() + interval '2 months')`);
  await database.query(
    `SELECT make_request_month(now() - ago * interval '1 month') FROM generate_series(-1, ${MONTHS - 1}) AS ago`,
  );
}

async function bytesOfCalls(database) {
  const { rows } = await database.query(
    `SELECT sum(pg_total_relation_size(relid))::float8 AS bytes
     FROM (SELECT relid FROM pg_partition_tree('request_records') UNION ALL SELECT 'ledger_transfers') AS kept`,
  );
  return rows[0].bytes;
}

/** SQL of calls between two moments, each moment with `AT_ONCE` calls. Consecutive calls are of different organizations. */
const calls = (organizations, keysEach) => `
  WITH moments AS MATERIALIZED (
    SELECT moment, at, left(request_id_at(at), 14) AS time
    FROM generate_series($1::bigint, $2::bigint) AS moment, LATERAL (SELECT to_timestamp($3::float8 + moment * $4::float8)) AS t (at)
  ), numbered AS (
    SELECT time || left(md5(n::text), 16) AS id, at, 1 + n * 7919 % ${organizations} AS organization,
      (extract(epoch FROM at) / 86400)::int % ${keysEach} AS key
    FROM moments, generate_series(moment * ${AT_ONCE}, (moment + 1) * ${AT_ONCE} - 1) AS n
  ), stored AS (
    INSERT INTO request_records (id, organization_id, api_key_id, edge_instance_id, route, model, stream, status, held_nanos,
      budget_periods, created_at, provider, http_status, attempts, input_tokens, output_tokens, customer_nanos, cost_state,
      ttft_ms, duration_ms, finished_at)
    SELECT id, ${idOf('org', 'organization')}, ${idOf('key', `organization + key * ${organizations}`)},
      '00000000-0000-4000-8000-000000000000', 'chat_completions', 'bench/plain', false, 'succeeded', 200000,
      jsonb_build_array(jsonb_build_object('budget_id', ${idOf('bud', 'organization')},
        'period_key', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM'))),
      at, 'plain', 200, '[{"region": "eu-west", "status": 200, "provider": "plain", "duration_ms": 800}]', 250, 150, 127500, 'final',
      120, 800, at + interval '800 ms'
    FROM numbered
    RETURNING id, organization_id, customer_nanos, finished_at
  )
  INSERT INTO ledger_transfers (id, organization_id, debit_account, credit_account, amount_nanos, kind, request_id, created_at)
  SELECT 'txn_' || right(id, 26), organization_id, 'wallet:' || organization_id, 'platform:revenue', customer_nanos, 'charge',
    id, finished_at
  FROM stored`;

const usage = `
  SET work_mem = '256MB';
  INSERT INTO usage_days (organization_id, day, project_id, api_key_id, model, provider, request_count, input_tokens,
    cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, customer_nanos)
  SELECT organization_id, (created_at AT TIME ZONE 'UTC')::date, '', api_key_id, model, provider, count(*),
    sum(input_tokens), 0, 0, sum(output_tokens), 0, sum(customer_nanos)
  FROM request_records GROUP BY 1, 2, 3, 4, 5, 6`;
