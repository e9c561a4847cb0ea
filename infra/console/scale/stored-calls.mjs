// Very many past calls of one organization: copies of the calls that it has made, spread over thirty days.

const DAYS = 30;
/** Calls in one statement, after which the progress is told. */
const PORTION = 100_000;
/** Calls in the same millisecond: the prefix of an id is expensive, and made once for all of them. */
const AT_ONCE = 100;
/** Copies of each group of calls of a minute, in every minute of the thirty days. */
const GROUPS_A_MINUTE = 5;
const SUMMED_UP_WITHIN_MS = 900_000;
const LOOK_EVERY_MS = 2_000;

/**
 * Copies stored calls until there are `count` of them, with their charges and the minutes that they are summed by, and waits
 * until the worker has summed those up.
 * @param service of `startService`, with calls of every kind that is wanted
 * @param progress called with the number stored so far
 */
export async function copyCalls({ query }, count, progress) {
  const columns = await columnsOf(query, 'request_records', [
    'id',
    'session_id',
    'created_at',
    'finished_at',
  ]);
  const until = Date.now() - 60_000;
  for (let stored = 0; stored < count; stored += PORTION) {
    const moments = [stored / AT_ONCE, Math.min(stored + PORTION, count) / AT_ONCE - 1];
    const secondsEach = (DAYS * 86_400 * AT_ONCE) / count;
    await query(copies(columns), [...moments, until / 1_000 - DAYS * 86_400, secondsEach]);
    progress(Math.min(stored + PORTION, count));
  }
  await copyMinutes(query);
  await query('VACUUM ANALYZE');
  await minutesAreSummedUp(query);
}

async function columnsOf(query, table, without) {
  const { rows } = await query(
    'SELECT column_name FROM information_schema.columns WHERE table_name = $1 AND column_name <> ALL ($2)',
    [table, without],
  );
  return rows.map(({ column_name }) => column_name).join(', ');
}

/** SQL of the copies between two moments. A hundred calls share a session. The calls to copy have no session of this name. */
const copies = (columns) => `
  WITH originals AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY id) - 1 AS place FROM request_records
    WHERE status <> 'pending' AND session_id NOT LIKE 'copied-%'
  ), moments AS MATERIALIZED (
    SELECT moment, at, left(request_id_at(at), 14) AS time
    FROM generate_series($1::bigint, $2::bigint) AS moment, LATERAL (SELECT to_timestamp($3::float8 + moment * $4::float8)) AS t (at)
  ), copied AS (
    INSERT INTO request_records (id, session_id, created_at, finished_at, ${columns})
    SELECT time || left(md5(n::text), 16), 'copied-' || moment, at, at + duration_ms * interval '1 ms', ${columns}
    FROM moments, generate_series(moment * ${AT_ONCE}, (moment + 1) * ${AT_ONCE} - 1) AS n
    JOIN originals ON place = n * 7919 % (SELECT count(*) FROM originals)
    RETURNING id, organization_id, customer_nanos, finished_at
  )
  INSERT INTO ledger_transfers (id, organization_id, debit_account, credit_account, amount_nanos, kind, request_id, created_at)
  SELECT 'txn_' || right(id, 26), organization_id, 'wallet:' || organization_id, 'platform:revenue', customer_nanos, 'charge',
    id, finished_at
  FROM copied WHERE customer_nanos > 0`;

async function copyMinutes(query) {
  const columns = await columnsOf(query, 'call_minutes', ['minute']);
  await query(
    `WITH originals AS MATERIALIZED (
       SELECT *, row_number() OVER () - 1 AS place FROM call_minutes WHERE calls > 0
     )
     INSERT INTO call_minutes (minute, ${columns})
     SELECT date_trunc('minute', now()) - ago * interval '1 min', ${columns}
     FROM generate_series(1, $1::int) AS ago CROSS JOIN generate_series(1, $2::int) AS nth
     JOIN originals ON place = (ago / 60 + nth * 7919) % (SELECT count(*) FROM originals)
     ON CONFLICT DO NOTHING`,
    [DAYS * 1_440, GROUPS_A_MINUTE],
  );
  // They were not written a moment ago.
  await query(`UPDATE call_hours_due SET changed_at = now() - interval '1 hour'`);
}

async function minutesAreSummedUp(query) {
  const deadline = Date.now() + SUMMED_UP_WITHIN_MS;
  while (Date.now() < deadline) {
    // The hour that has not ended is not summed up yet.
    const { rows } = await query(`SELECT FROM call_hours_due WHERE hour < now() - interval '2 hours'`);
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Error('The worker has not summed the minutes up.');
}
