// Organizations whose limits no load reaches. They and their keys are numbered from 1.

/** The maximum of its column: the buckets are checked at every call, and never empty. */
const LIMIT = 2_147_483_647;
/** Far more than a run spends: 100,000 USD. */
export const CREDIT_NANOS = 100_000_000_000_000n;
/** Less than the wallet, and never reached: only its check is measured. */
const BUDGET_NANOS = 50_000_000_000_000n;

/** SQL of the id with a number, in the length of real ids. */
export const idOf = (prefix, number) => `'${prefix}_' || lpad((${number})::text, 26, '0')`;

/** Not secret: they open only a database that exists during one run. */
export const secretOf = (name) => `svc_sk_bench-organization-${name}`;
const keyRow = (name) =>
  `left('svc_sk_bench-organization-', 15), sha256(convert_to('svc_sk_bench-organization-' || ${name}, 'UTF8'))`;

/**
 * Organizations 1 to `count`, each with a wallet, limits, a blocking budget for its month, a policy of its own and `keysEach` keys:
 * those of organization n are n, n + count, n + 2 * count and so on. Existing organizations get limits, budget and policy
 * too.
 */
export async function addOrganizations(database, count, keysEach = 1) {
  await database.query(organizations(count, keysEach));
  await database.query(policies);
}

/** A key that may make one call a minute, of organization 1. @returns its secret. */
export async function addSlowKey(database) {
  await database.query(
    `INSERT INTO api_keys (id, organization_id, name, prefix, secret_sha256, scopes, rate_limit_rpm)
     SELECT 'key_slow', ${idOf('org', 1)}, 'Slow', ${keyRow("'slow'")}, '{inference:invoke}', 1`,
  );
  return secretOf('slow');
}

const organizations = (count, keysEach) => `
  INSERT INTO organizations (id, name) SELECT ${idOf('org', 'n')}, 'Bench ' || n FROM generate_series(1, ${count}) n;
  INSERT INTO api_keys (id, organization_id, name, prefix, secret_sha256, scopes, rate_limit_rpm, rate_limit_tpm)
    SELECT ${idOf('key', 'n')}, ${idOf('org', `1 + (n - 1) % ${count}`)}, 'Bench', ${keyRow('n')}, '{inference:invoke}',
      ${LIMIT}, ${LIMIT}
    FROM generate_series(1, ${count * keysEach}) n;
  INSERT INTO credit_grants (id, organization_id, amount_nanos, reason)
    SELECT ${idOf('crg', 'n')}, ${idOf('org', 'n')}, ${CREDIT_NANOS}, 'Bench' FROM generate_series(1, ${count}) n;
  INSERT INTO ledger_transfers (id, organization_id, debit_account, credit_account, amount_nanos, kind, credit_grant_id)
    SELECT ${idOf('txn', 'n')}, organization_id, 'platform:credit', 'wallet:' || organization_id, ${CREDIT_NANOS},
      'credit_grant', ${idOf('crg', 'n')}
    FROM generate_series(1, ${count}) n, LATERAL (SELECT ${idOf('org', 'n')}) AS o (organization_id);
  INSERT INTO wallets (organization_id, balance_nanos)
    SELECT ${idOf('org', 'n')}, ${CREDIT_NANOS} FROM generate_series(1, ${count}) n`;

const policies = `
  UPDATE organizations SET rate_limit_rpm = ${LIMIT}, rate_limit_tpm = ${LIMIT};
  UPDATE api_keys SET rate_limit_rpm = ${LIMIT}, rate_limit_tpm = ${LIMIT} WHERE rate_limit_rpm IS NULL;
  INSERT INTO budgets (id, organization_id, name, scope, scope_id, period, amount_nanos, action, warn_at_bps)
    SELECT 'bud_' || right(id, 26), id, 'Month', 'organization', id, 'month', ${BUDGET_NANOS}, 'block', 8000 FROM organizations;
  INSERT INTO policy_versions (id, organization_id, version, document)
    SELECT 'pol_' || right(id, 26), id, 1, '{"denied_regions": ["moon"], "max_attempts": 2}' FROM organizations;
  ANALYZE`;

/**
 * One more budget for each of `count` organizations, on its key number `keysBefore` + 1: it does not count calls with other keys.
 */
export async function addKeyBudgets(database, count, keysBefore) {
  await database.query(
    `INSERT INTO budgets (id, organization_id, name, scope, scope_id, period, amount_nanos, action, warn_at_bps)
     SELECT ${idOf('bud', `${keysBefore * count} + n`)}, ${idOf('org', 'n')}, 'Key', 'api_key',
       ${idOf('key', `${keysBefore * count} + n`)}, 'day', ${BUDGET_NANOS}, 'block', 8000
     FROM generate_series(1, ${count}) n`,
  );
}
