import { alertMetrics, type AlertMetric } from '@svc/alerts';
import { AlertEvaluation } from '@svc/alerts/store';
import { type Database } from '@svc/database';
import { openTestDatabase } from '@svc/database/testing';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { AlertMetrics, evaluateAlerts } from '../../alerts.tasks';
import { Stopwatch } from './stopwatch';

const ORGANIZATIONS = 1_000;
const ROUNDS = 5;

/**
 * `npm run bench:scale -- alerts`: how long a tick takes over 1,000 organizations with a rule of each metric, and over as
 * many rules of one metric. Says it for ticks that change nothing, that write each rule, and in which each rule changes
 * its state.
 */
async function run(): Promise<void> {
  const { database, close } = await openTestDatabase();
  try {
    await addOrganizations(database);
    await addRules(database, alertMetrics, 1);
    await measure(database, 'a rule of each metric');
    await database.pool.query('TRUNCATE alert_rules, alerts, mails');
    await addRules(database, ['latency_p95_ms'], alertMetrics.length);
    await measure(database, 'all rules of latency_p95_ms');
  } finally {
    await close();
  }
}

async function measure(database: Database, rules: string): Promise<void> {
  const tick = tickOf(database);
  await tick();
  const cases = {
    'nothing changes': () => Promise.resolve(),
    'each rule is written': () => changeRules(database, `evaluated_at = evaluated_at - interval '1 min'`),
    'each rule fires': () =>
      changeRules(database, `threshold = CASE WHEN ${FIRES_LOW} THEN ${MAX} ELSE 0 END`),
    'each alert ends': () =>
      changeRules(database, `threshold = CASE WHEN ${FIRES_LOW} THEN -1 ELSE ${MAX} END`),
  };
  const stopwatch = new Stopwatch(database);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, prepare] of Object.entries(cases)) {
      await prepare();
      await stopwatch.measure(`${rules}: ${name}`, tick);
    }
  }
  stopwatch.report();
}

const MAX = Number.MAX_SAFE_INTEGER;
const FIRES_LOW = `metric LIKE 'wallet%'`;

const changeRules = async (database: Database, set: string): Promise<void> => {
  await database.pool.query(`UPDATE alert_rules SET ${set}`);
};

const endpoints = () =>
  Array.from({ length: 50 }, (_, number) => ({
    id: `endpoint_${String(number + 1)}`,
    region: 'eu',
    dataRetention: 'zero' as const,
  }));

/** The work of a worker when all metrics are due. */
function tickOf(database: Database): () => Promise<void> {
  const evaluation = new AlertEvaluation(database);
  const logger = createLogger({ service: 'scale', level: 'warn' });
  const metrics = new AlertMetrics(createMetrics('scale'), logger);
  return async () => {
    await database.pool.query(`UPDATE alert_ticks SET due_at = now() - interval '1 s'`);
    while ((await evaluateAlerts({ evaluation, metrics, logger, tickSeconds: 3_600, endpoints })).more);
  };
}

/**
 * Each organization has an owner, a wallet, a budget and a webhook endpoint. It called two models with two keys in each of
 * the last 60 minutes, and one of them each 10 minutes of the day before.
 */
async function addOrganizations({ background }: Database): Promise<void> {
  const organizations = `generate_series(1, ${String(ORGANIZATIONS)}) AS o (number)`;
  const id = `'org_' || o.number`;
  const statements = [
    `INSERT INTO organizations (id, name) SELECT ${id}, 'Acme' FROM ${organizations}`,
    `INSERT INTO users (id, email) SELECT 'usr_' || o.number, o.number || '@example.com' FROM ${organizations}`,
    `INSERT INTO members (id, organization_id, user_id, role)
     SELECT 'mem_' || o.number, ${id}, 'usr_' || o.number, 'owner' FROM ${organizations}`,
    `INSERT INTO wallets (organization_id, balance_nanos) SELECT ${id}, 1000000000 FROM ${organizations}`,
    `INSERT INTO budgets (id, organization_id, name, scope, scope_id, period, amount_nanos, action, warn_at_bps)
     SELECT 'bud_' || o.number, ${id}, 'All', 'organization', ${id}, 'month', 1000, 'warn', 8000 FROM ${organizations}`,
    `INSERT INTO webhook_endpoints (id, organization_id, url, event_types, secret_ciphertext, secret_last4)
     SELECT 'whe_' || o.number, ${id}, 'https://example.com', '{}', '', 'abcd' FROM ${organizations}`,
    `INSERT INTO call_minutes
     SELECT ${id}, date_trunc('minute', now()) - ago * interval '1 min', '', key, model, 'acme', gen_random_uuid(),
       50, 1, 0, 50, 500, 0, 0, 500, 0, 1000, '{20,21,22,25,30}', '{10,20,10,5,4}', '{15,16,20}', '{20,20,10}'
     FROM ${organizations},
       (SELECT * FROM generate_series(0, 59) AS ago, unnest('{key_1,key_2}'::text[]) AS key, unnest('{acme/small,acme/large}'::text[]) AS model
        UNION ALL SELECT ago, 'key_1', 'acme/small' FROM generate_series(60, 1430, 10) AS ago) AS calls (ago, key, model)`,
    `INSERT INTO edge_instances (id, lease_until) VALUES ('edge_1', now() + interval '1 hour')`,
    `INSERT INTO circuit_reports (endpoint_id, edge_instance_id, model, provider, open_since, planned_at, reported_at)
     SELECT 'endpoint_' || number, 'edge_1', 'acme/' || number, 'acme', now(), now() + interval '1 hour', now()
     FROM generate_series(1, 50) AS number`,
    'VACUUM ANALYZE',
  ];
  for (const statement of statements) await background.query(statement);
}

async function addRules(
  { background }: Database,
  metrics: readonly AlertMetric[],
  each: number,
): Promise<void> {
  await background.query(
    `INSERT INTO alert_rules (id, organization_id, name, metric, threshold, window_seconds, filter_model, min_requests, for_seconds,
       keep_firing_seconds, severity, notify_roles, notify_member_ids, enabled)
     SELECT 'alr_' || o.number || '_' || metric || '_' || n, 'org_' || o.number, 'Of ' || metric,
       metric, CASE WHEN ${FIRES_LOW} THEN -1 ELSE ${String(MAX)} END, 300,
       CASE metric WHEN 'circuit_open_seconds' THEN 'acme/1' END, 20, 0, 0, 'warning', '{owner}', '{}', true
     FROM generate_series(1, $1) AS o (number), generate_series(1, $3) AS n, unnest($2::text[]) AS metric`,
    [ORGANIZATIONS, metrics, each],
  );
  await background.query('VACUUM ANALYZE alert_rules');
}

void run();
