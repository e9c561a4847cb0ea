import { eventually } from '@svc/testing';
import { testPrices, type CatalogPrices } from '../harness/catalog-file';
import { openSession } from '../harness/database-session';
import { expectedCharge } from '../harness/expected-charge';

/** Queries for violations of a rule of the books. They find none in any snapshot, also under load. */
const ALWAYS: Readonly<Record<string, string>> = {
  'all entries come to zero': `
    SELECT sum(amount_nanos) AS come_to FROM ledger_entries HAVING sum(amount_nanos) <> 0`,
  'a wallet is what its entries come to': `
    SELECT w.organization_id, w.balance_nanos, e.come_to
    FROM wallets w
    LEFT JOIN (SELECT account, sum(amount_nanos) AS come_to FROM ledger_entries GROUP BY account) e
      ON e.account = 'wallet:' || w.organization_id
    WHERE w.balance_nanos <> coalesce(e.come_to, 0)`,
  'no wallet is below zero': `
    SELECT organization_id, balance_nanos, held_nanos FROM wallets
    WHERE balance_nanos < 0 OR held_nanos < 0 OR balance_nanos < held_nanos`,
  'a wallet holds what its pending calls and standing holds hold': `
    SELECT w.organization_id, w.held_nanos, h.held
    FROM wallets w
    LEFT JOIN (
      SELECT organization_id, sum(held_nanos) AS held
      FROM (
        SELECT organization_id, held_nanos FROM request_records WHERE status = 'pending'
        UNION ALL SELECT organization_id, held_nanos FROM standing_holds WHERE settled_at IS NULL
      ) open
      GROUP BY 1
    ) h ON h.organization_id = w.organization_id
    WHERE w.held_nanos <> coalesce(h.held, 0)`,
  'a call is charged what its record says, once': `
    SELECT coalesce(r.id, t.request_id) AS request_id, r.customer_nanos, t.charges
    FROM (SELECT id, customer_nanos FROM request_records WHERE customer_nanos <> 0) r
    FULL JOIN (
      SELECT request_id, array_agg(amount_nanos) AS charges FROM ledger_transfers WHERE kind = 'charge' GROUP BY 1
    ) t ON t.request_id = r.id
    WHERE t.charges IS DISTINCT FROM ARRAY[r.customer_nanos]`,
  'a call that cost more than its hold lost the platform the rest, once': `
    SELECT coalesce(r.id, t.request_id) AS request_id, r.overrun_nanos, t.overruns
    FROM (SELECT id, overrun_nanos FROM request_records WHERE overrun_nanos <> 0) r
    FULL JOIN (
      SELECT request_id, array_agg(amount_nanos) AS overruns FROM ledger_transfers WHERE kind = 'overrun' GROUP BY 1
    ) t ON t.request_id = r.id
    WHERE t.overruns IS DISTINCT FROM ARRAY[r.overrun_nanos]`,
  'usage is what the records and the charges of standing holds say': `
    SELECT coalesce(r.organization_id, u.organization_id) AS organization_id, r.said, u.counted
    FROM (
      SELECT organization_id, ARRAY[sum(calls), sum(nanos), sum(input), sum(output)] AS said
      FROM (
        SELECT organization_id, 1 AS calls, customer_nanos AS nanos, input_tokens AS input, output_tokens AS output
        FROM request_records WHERE finished_at IS NOT NULL
        UNION ALL SELECT organization_id, 0, amount_nanos, 0, 0
        FROM ledger_transfers WHERE hold_id IS NOT NULL AND kind <> 'overrun'
      ) each
      GROUP BY 1
    ) r
    FULL JOIN (
      SELECT organization_id,
        ARRAY[sum(request_count), sum(customer_nanos), sum(input_tokens), sum(output_tokens)] AS counted
      FROM usage_days GROUP BY 1
    ) u ON u.organization_id = r.organization_id
    WHERE r.said IS DISTINCT FROM u.counted`,
};

/** The same for rules that the worker restores: spend that a budget missed, and holds of a dead process. */
const SOON: Readonly<Record<string, string>> = {
  'no hold is older than a minute without a call in flight': `
    SELECT id, organization_id, created_at, now() FROM request_records
    WHERE status = 'pending' AND created_at < now() - interval '60 s' AND id <> ALL ($1)`,
  'a budget has spent the charges of its period with what own accounts paid, and reserved its pending holds': `
    SELECT g.id, g.scope, s.period_key, s.spent_nanos, booked.charged, s.reserved_nanos, booked.held
    FROM budgets g
    JOIN budget_spends s ON s.budget_id = g.id
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(coalesce(t.amount_nanos, 0) + r.provider_nanos), 0) AS charged,
        coalesce(sum(coalesce(r.budget_held_nanos, r.held_nanos)) FILTER (WHERE r.status = 'pending'), 0) AS held
      FROM request_records r
      LEFT JOIN ledger_transfers t ON t.request_id = r.id AND t.kind = 'charge'
      WHERE r.organization_id = g.organization_id
        AND CASE g.scope WHEN 'project' THEN r.project_id WHEN 'api_key' THEN r.api_key_id ELSE g.scope_id END = g.scope_id
        AND s.period_key = CASE g.period
          WHEN 'day' THEN to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')
          WHEN 'month' THEN to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM')
          ELSE r.session_id END
    ) booked
    WHERE g.enabled AND (s.spent_nanos <> booked.charged OR s.reserved_nanos <> booked.held)`,
};

/** A larger count is stored as its column's maximum; the charge used the whole count (docs/failures.md). */
const COUNT_MAX = 2 ** 31 - 1;

/** Calls with reported or observed usage: one that needs reconciliation may be charged without. */
const COSTS = `
  SELECT id, customer_nanos + overrun_nanos AS cost, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens
  FROM request_records
  WHERE status NOT IN ('pending', 'reconciliation_required') AND provider IS NOT NULL AND provider_nanos = 0
    AND greatest(input_tokens, cached_input_tokens, cache_write_tokens, output_tokens) < ${String(COUNT_MAX)}`;

interface CostRow {
  readonly id: string;
  readonly cost: string;
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly cache_write_tokens: number;
  readonly output_tokens: number;
}

interface InvariantOptions {
  /** Requests that the client still waits for. */
  readonly inFlight?: readonly string[];
  /** How long the worker may take to restore a rule. */
  readonly timeoutMs?: number;
  /** The prices of every endpoint of the installation. */
  readonly prices?: CatalogPrices;
}

/** Two intervals of 30 s of the worker's reconciliation, and some more. */
const RESTORED_MS = 65_000;

/** Expects that the books of a whole installation, all organizations, add up, at any time, also under load. */
export async function expectBooksHold(
  { databaseUrl }: { readonly databaseUrl: string },
  { inFlight = [], timeoutMs = RESTORED_MS, prices = testPrices }: InvariantOptions = {},
): Promise<void> {
  const session = await openSession(databaseUrl);
  try {
    await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const broken: Record<string, unknown> = {};
    for (const [rule, offenders] of Object.entries(ALWAYS)) {
      const { rows } = await session.query(offenders);
      if (rows.length > 0) broken[rule] = rows;
    }
    const { rows: costs } = await session.query<CostRow>(COSTS);
    const wrong = costs.filter((row) => BigInt(row.cost) !== costOf(row, prices));
    if (wrong.length > 0) broken['a call costs its usage times the price'] = wrong;
    await session.query('COMMIT');
    expect(broken).toEqual({});

    for (const [rule, offenders] of Object.entries(SOON)) {
      await eventually(async () => {
        const { rows } = await session.query(offenders, offenders.includes('$1') ? [inFlight] : []);
        expect({ rule, rows }).toEqual({ rule, rows: [] });
      }, timeoutMs);
    }
  } finally {
    await session.end();
  }
}

const costOf = (row: CostRow, prices: CatalogPrices): bigint =>
  expectedCharge(
    {
      input: row.input_tokens,
      cachedInput: row.cached_input_tokens,
      cacheWrite: row.cache_write_tokens,
      output: row.output_tokens,
    },
    prices,
  );
