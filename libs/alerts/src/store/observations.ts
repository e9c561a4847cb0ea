import { type ModelEndpoint } from '@svc/catalog';
import { type AlertMetric } from '../rules/metrics';

/**
 * For each metric, a query over the rule `r` that gives one row at most: `value`, null for no data, and `period`
 * (docs/reference/alerts.md#metrics).
 */
export const observations: Readonly<Record<AlertMetric, string>> = {
  spend_nanos: `SELECT
      CASE WHEN r.period IS NULL THEN (SELECT coalesce(sum(m.spent_nanos + m.provider_nanos), 0) FROM ${callsOf('')})
        ELSE (SELECT coalesce(sum(u.customer_nanos + u.provider_nanos), 0) FROM usage_days u
          WHERE u.organization_id = r.organization_id
            AND u.day >= date_trunc(r.period, now() AT TIME ZONE 'UTC')::date AND ${filtersOver('u')}) END AS value,
      to_char(now() AT TIME ZONE 'UTC', CASE r.period WHEN 'day' THEN 'YYYY-MM-DD' WHEN 'month' THEN 'YYYY-MM' END)
        AS period`,

  request_count: `SELECT coalesce(sum(m.calls), 0) AS value, NULL AS period FROM ${callsOf('')}`,

  // Errors of callers are in neither number: the calls are those that failed, were cancelled or have a duration.
  error_rate_bps: `SELECT CASE WHEN t.ended >= r.min_requests THEN t.failed * 10000 / t.ended END AS value, NULL AS period
    FROM (
      SELECT sum(m.failures) AS failed, sum(m.failures + m.cancelled + succeeded.calls) AS ended
      FROM ${callsOf(
        `CROSS JOIN LATERAL (SELECT coalesce(sum(count), 0) AS calls FROM unnest(m.duration_counts) AS count) succeeded`,
      )}
    ) t`,

  latency_p95_ms: percentileOf('duration'),
  ttft_p95_ms: percentileOf('ttft'),

  wallet_available_nanos: `SELECT coalesce((
      SELECT greatest(w.balance_nanos - w.held_nanos - w.owed_nanos, 0) FROM wallets w WHERE w.organization_id = r.organization_id
    ), 0) AS value, NULL AS period`,

  wallet_runway_hours: `SELECT greatest(w.balance_nanos - w.held_nanos - w.owed_nanos, 0)::numeric * 24 / day.spent AS value, NULL AS period
    FROM spent_in_a_day day JOIN wallets w ON w.organization_id = day.organization_id
    WHERE day.organization_id = r.organization_id`,

  // Of several budgets the most consumed, whose periods differ: so only that of a named one is a period of the rule.
  // One of each is as consumed as its most consumed amount.
  budget_consumed_bps: `SELECT CASE WHEN g.scope_id = '*' THEN (
          SELECT coalesce(max(s.spent_nanos), 0) FROM budget_spends s
          WHERE g.enabled AND s.budget_id = g.id AND split_part(s.period_key, ' ', 1) = current.key)
        ELSE coalesce(
          (SELECT s.spent_nanos FROM budget_spends s
           WHERE g.enabled AND s.budget_id = g.id AND s.period_key = current.key),
          budget_usage(g, current.key)) END::numeric * 10000 / nullif(budget_amount(g), 0) AS value,
      CASE WHEN r.filter_budget_id IS NOT NULL THEN current.key END AS period
    FROM budgets g
    CROSS JOIN LATERAL (
      SELECT budget_period_key(g, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'), NULL) AS key
    ) current
    WHERE g.organization_id = r.organization_id AND g.period <> 'session'
      AND CASE WHEN r.filter_budget_id IS NULL THEN g.enabled ELSE g.id = r.filter_budget_id END
    ORDER BY value DESC NULLS LAST LIMIT 1`,

  delivery_failures: `SELECT coalesce(max(
      CASE WHEN e.state = 'disabled' THEN greatest(e.consecutive_failures, 25) ELSE e.consecutive_failures END
    ), 0) AS value, NULL AS period
    FROM (
      SELECT state, consecutive_failures FROM webhook_endpoints
      WHERE organization_id = r.organization_id AND deleted_at IS NULL AND r.filter_integration_id IS NULL
        AND (r.filter_webhook_endpoint_id IS NULL OR id = r.filter_webhook_endpoint_id)
      UNION ALL
      SELECT state, consecutive_failures FROM integrations
      WHERE organization_id = r.organization_id AND deleted_at IS NULL AND r.filter_webhook_endpoint_id IS NULL
        AND (r.filter_integration_id IS NULL OR id = r.filter_integration_id)
    ) e`,

  circuit_open_seconds: `SELECT CASE
        WHEN bool_and(c.state = 'open') THEN greatest(extract(epoch FROM now() - max(c.open_since)), 0)
        WHEN count(*) > 0 THEN 0 END AS value, NULL AS period
    FROM circuits c
    LEFT JOIN LATERAL (
      SELECT v.document FROM policy_versions v WHERE v.organization_id = r.organization_id
      ORDER BY v.version DESC LIMIT 1
    ) policy ON true
    WHERE (r.filter_model IS NULL OR c.model = r.filter_model)
      AND (r.filter_provider IS NULL OR c.provider = r.filter_provider)
      AND (policy.document IS NULL OR (${['model', 'provider', 'region'].map(isAllowed).join(' AND ')}
        AND (c.data_retention = 'zero' OR policy.document -> 'require_zero_retention' IS DISTINCT FROM 'true')))`,
};

/** Readings of a metric that all rules share. Of circuits the second parameter is `endpointsParameter`. */
export const sharedReadings: Readonly<Partial<Record<AlertMetric, string>>> = {
  wallet_runway_hours: `spent_in_a_day AS MATERIALIZED (
    SELECT m.organization_id, sum(m.spent_nanos) AS spent FROM call_minutes m
    WHERE m.organization_id IN (SELECT organization_id FROM watched)
      AND m.minute >= date_trunc('minute', now() - interval '24 hours')
    GROUP BY m.organization_id HAVING sum(m.spent_nanos) > 0
  )`,
  circuit_open_seconds: `circuits AS MATERIALIZED (
    SELECT c.*, e.region, e.data_retention FROM endpoint_circuits c
    JOIN jsonb_to_recordset($2) AS e (endpoint_id text, region text, data_retention text) USING (endpoint_id)
  )`,
};

/** Facts of the catalog about an endpoint, which its circuit does not have. */
export type WatchedEndpoint = Pick<ModelEndpoint, 'id' | 'region' | 'dataRetention'>;

export const endpointsParameter = (endpoints: readonly WatchedEndpoint[]): string =>
  JSON.stringify(
    endpoints.map(({ id, region, dataRetention }) => ({
      endpoint_id: id,
      region,
      data_retention: dataRetention,
    })),
  );

/** The minutes of a rule's window, with what is joined to each. */
function callsOf(joined: string): string {
  return `call_minutes m ${joined}
    WHERE m.organization_id = r.organization_id
      AND m.minute >= date_trunc('minute', now() - r.window_seconds * interval '1 s') AND ${filtersOver('m')}`;
}

function filtersOver(table: 'm' | 'u'): string {
  return ['project_id', 'api_key_id', 'model', 'provider']
    .map((column) => `(r.filter_${column} IS NULL OR ${table}.${column} = r.filter_${column})`)
    .join(' AND ');
}

/** As `histogram_percentile` has it, whose calls would cost as much again as the rest. */
function percentileOf(kind: 'duration' | 'ttft'): string {
  return `SELECT CASE WHEN t.calls >= r.min_requests THEN round(histogram_bound_ms(t.bound)) END AS value, NULL AS period
    FROM (
      SELECT h.bound, sum(sum(h.count)) OVER (ORDER BY h.bound) AS up_to, sum(sum(h.count)) OVER () AS calls
      FROM ${callsOf(`CROSS JOIN LATERAL unnest(m.${kind}_bounds, m.${kind}_counts) AS h (bound, count)`)}
      GROUP BY h.bound
    ) t
    WHERE t.up_to >= ceil(0.95 * t.calls) ORDER BY t.bound LIMIT 1`;
}

/** The lists of the policy: the denied one wins, and an allowed one that is null allows all. */
function isAllowed(what: string): string {
  const allowed = `policy.document -> 'allowed_${what}s'`;
  return `NOT coalesce(policy.document -> 'denied_${what}s' ? c.${what}, false)
    AND (coalesce(jsonb_typeof(${allowed}), 'null') = 'null' OR ${allowed} ? c.${what})`;
}
