-- Ends each pending call once: frees its hold, charges at most what was held, books the rest as the platform's loss,
-- counts the usage, writes its events. What the call's budgets held for it, they have spent or free again, in the periods in which it
-- began. They count what the wallet and the organization's own account at the provider pay, at most what they held: counted_nanos. A call that is not pending (any more) is left as it is: settled = false. Its caller has locked the wallets.
CREATE OR REPLACE FUNCTION settle_calls(batch jsonb) RETURNS TABLE (request_id text, settled boolean)
LANGUAGE plpgsql SET enable_indexscan = off AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH settlement AS MATERIALIZED (
    SELECT * FROM ROWS FROM (jsonb_to_recordset(batch) AS (
      request_id text, organization_id text, status text, charge_nanos bigint, provider_nanos bigint, cost_state text, provider text,
      http_status int, error_code text, attempts jsonb, input_tokens int, cached_input_tokens int,
      cache_write_tokens int, output_tokens int, reasoning_tokens int, ttft_ms int, duration_ms int,
      charge_id text, overrun_id text, events jsonb, explanation jsonb)) WITH ORDINALITY AS b (
      request_id, organization_id, status, charge_nanos, provider_nanos, cost_state, provider,
      http_status, error_code, attempts, input_tokens, cached_input_tokens,
      cache_write_tokens, output_tokens, reasoning_tokens, ttft_ms, duration_ms,
      charge_id, overrun_id, events, explanation, ordinal)
  ), ended AS (
    UPDATE request_records r SET
      status = s.status, provider = s.provider, http_status = s.http_status, error_code = s.error_code,
      attempts = s.attempts, input_tokens = s.input_tokens, cached_input_tokens = s.cached_input_tokens,
      cache_write_tokens = s.cache_write_tokens, output_tokens = s.output_tokens,
      reasoning_tokens = s.reasoning_tokens, ttft_ms = s.ttft_ms, duration_ms = s.duration_ms, explanation = s.explanation,
      customer_nanos = least(s.charge_nanos, r.held_nanos),
      overrun_nanos = greatest(s.charge_nanos - r.held_nanos, 0), provider_nanos = coalesce(s.provider_nanos, 0),
      cost_state = s.cost_state, finished_at = now()
    FROM settlement s
    WHERE r.id = s.request_id AND r.organization_id = s.organization_id AND r.finished_at IS NULL
    RETURNING r.*, s.ordinal, s.charge_id, s.overrun_id, s.events, (r.created_at AT TIME ZONE 'UTC')::date AS day,
      coalesce(r.budget_held_nanos, r.held_nanos) AS reserved_nanos,
      least(r.customer_nanos + r.provider_nanos, coalesce(r.budget_held_nanos, r.held_nanos)) AS counted_nanos,
      -- A 4xx is the caller's own fault, unless it is the provider's rate limit. A call without an error and without an answer was left.
      r.error_code IS NOT NULL AND coalesce(r.http_status = 429 OR r.http_status NOT BETWEEN 400 AND 499, true) AS has_failed,
      r.status = 'cancelled' OR r.status = 'reconciliation_required' AND r.error_code IS NULL AND r.http_status IS NULL AS was_left
  ), paid AS (
    UPDATE wallets w SET
      balance_nanos = w.balance_nanos - e.customer_nanos, held_nanos = w.held_nanos - e.held_nanos
    FROM (
      SELECT organization_id, sum(customer_nanos)::bigint AS customer_nanos, sum(held_nanos)::bigint AS held_nanos
      FROM ended GROUP BY organization_id
    ) e
    WHERE w.organization_id = e.organization_id
  ), consumed AS (
    UPDATE budget_spends s SET
      -- Never an obstacle to the charge: a reservation that is not there is not freed.
      reserved_nanos = greatest(s.reserved_nanos - e.reserved_nanos, 0),
      spent_nanos = s.spent_nanos + e.counted_nanos, review_due = true, updated_at = now()
    FROM (
      SELECT p.budget_id, p.period_key, sum(reserved_nanos)::bigint AS reserved_nanos, sum(counted_nanos)::bigint AS counted_nanos
      FROM ended, jsonb_to_recordset(ended.budget_periods) AS p (budget_id text, period_key text)
      GROUP BY 1, 2
    ) e
    WHERE s.budget_id = e.budget_id AND s.period_key = e.period_key
  ), booked AS (
    INSERT INTO ledger_transfers (id, organization_id, debit_account, credit_account, amount_nanos, kind, request_id)
    SELECT charge_id, organization_id, 'wallet:' || organization_id, 'platform:revenue', customer_nanos, 'charge', id
      FROM ended WHERE customer_nanos > 0
    UNION ALL
    SELECT overrun_id, organization_id, 'platform:loss', 'platform:revenue', overrun_nanos, 'overrun', id
      FROM ended WHERE overrun_nanos > 0
  ), counted AS (
    INSERT INTO usage_days AS u (organization_id, day, project_id, api_key_id, model, provider, tag, request_count,
      failed_count, cancelled_count,
      input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, customer_nanos,
      provider_nanos, uncounted_nanos)
    SELECT organization_id, day, coalesce(project_id, ''), api_key_id, model,
      coalesce(provider, ''), coalesce(usage_tag, ''), count(*),
      count(*) FILTER (WHERE has_failed), count(*) FILTER (WHERE was_left),
      sum(input_tokens), sum(cached_input_tokens), sum(cache_write_tokens),
      sum(output_tokens), sum(reasoning_tokens), sum(customer_nanos),
      sum(provider_nanos), sum(customer_nanos + provider_nanos - counted_nanos)
    FROM ended GROUP BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (organization_id, day, project_id, api_key_id, model, provider, tag) DO UPDATE SET
      request_count = u.request_count + excluded.request_count,
      failed_count = u.failed_count + excluded.failed_count,
      cancelled_count = u.cancelled_count + excluded.cancelled_count,
      input_tokens = u.input_tokens + excluded.input_tokens,
      cached_input_tokens = u.cached_input_tokens + excluded.cached_input_tokens,
      cache_write_tokens = u.cache_write_tokens + excluded.cache_write_tokens,
      output_tokens = u.output_tokens + excluded.output_tokens,
      reasoning_tokens = u.reasoning_tokens + excluded.reasoning_tokens,
      customer_nanos = u.customer_nanos + excluded.customer_nanos,
      provider_nanos = u.provider_nanos + excluded.provider_nanos,
      uncounted_nanos = u.uncounted_nanos + excluded.uncounted_nanos
  ), counted_of_end_users AS (
    INSERT INTO usage_end_users AS u (organization_id, end_user_id, day, project_id, end_user, request_count, failed_count,
      cancelled_count, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, customer_nanos,
      provider_nanos, uncounted_nanos)
    SELECT organization_id, named.id, day, coalesce(project_id, ''), max(end_user) FILTER (WHERE named.id = end_user_id), count(*),
      count(*) FILTER (WHERE has_failed), count(*) FILTER (WHERE was_left),
      sum(input_tokens), sum(cached_input_tokens), sum(cache_write_tokens),
      sum(output_tokens), sum(reasoning_tokens), sum(customer_nanos),
      sum(provider_nanos), sum(customer_nanos + provider_nanos - counted_nanos)
    FROM ended, LATERAL (
      SELECT coalesce((
        SELECT k.end_user_id FROM usage_end_users k
        WHERE k.organization_id = ended.organization_id AND k.end_user_id = ended.end_user_id AND k.day = ended.day LIMIT 1
      ), '(other)') AS id
    ) named
    WHERE end_user_id IS NOT NULL GROUP BY 1, 2, 3, 4
    ON CONFLICT (organization_id, end_user_id, day, project_id) DO UPDATE SET
      end_user = coalesce(excluded.end_user, u.end_user),
      request_count = u.request_count + excluded.request_count,
      failed_count = u.failed_count + excluded.failed_count,
      cancelled_count = u.cancelled_count + excluded.cancelled_count,
      input_tokens = u.input_tokens + excluded.input_tokens,
      cached_input_tokens = u.cached_input_tokens + excluded.cached_input_tokens,
      cache_write_tokens = u.cache_write_tokens + excluded.cache_write_tokens,
      output_tokens = u.output_tokens + excluded.output_tokens,
      reasoning_tokens = u.reasoning_tokens + excluded.reasoning_tokens,
      customer_nanos = u.customer_nanos + excluded.customer_nanos,
      provider_nanos = u.provider_nanos + excluded.provider_nanos,
      uncounted_nanos = u.uncounted_nanos + excluded.uncounted_nanos
  ), announced AS (
    INSERT INTO outbox_events (id, organization_id, type, payload)
    SELECT v.id, v.organization_id, v.type, v.payload
    FROM ended, jsonb_to_recordset(ended.events) AS v (id text, organization_id text, type text, payload text)
  )
  SELECT s.request_id, s.ordinal IN (SELECT ordinal FROM ended)
  FROM settlement s ORDER BY s.ordinal;
END
$$;
