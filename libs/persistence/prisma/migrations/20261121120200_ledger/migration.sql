-- The ledger's hot path: many calls a round trip, wallets and records in one transaction.
-- Both functions lock wallets in the order of organizations, so two of them can't deadlock. They are told not to
-- scan or hash tables, because a plan made while the tables were small is kept by its connection as they grow.

-- Two entries of each transfer, signed: an account's balance is the sum of its entries, and all sum to zero.
CREATE VIEW ledger_entries AS
  SELECT id AS transfer_id, organization_id, debit_account AS account, -amount_nanos AS amount_nanos, created_at
    FROM ledger_transfers
  UNION ALL
  SELECT id, organization_id, credit_account, amount_nanos, created_at
    FROM ledger_transfers;

-- Holds what each call may cost, in the order given: at least its minimum, at most its maximum. What a wallet can't
-- pay (or has no wallet) gets null and leaves nothing behind; a smaller call after it may still fit.
CREATE FUNCTION open_holds(batch jsonb) RETURNS TABLE (request_id text, held_nanos bigint)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  hold record;
  current_organization text;
  available bigint;
  newly_held bigint := 0;
  held bigint[] := array_fill(NULL::bigint, ARRAY[jsonb_array_length(batch)]);
BEGIN
  FOR hold IN
    SELECT b.organization_id, b.hold_min, b.hold_max, b.ordinal
    FROM ROWS FROM (jsonb_to_recordset(batch) AS (organization_id text, hold_min bigint, hold_max bigint))
      WITH ORDINALITY AS b (organization_id, hold_min, hold_max, ordinal)
    ORDER BY b.organization_id, b.ordinal
  LOOP
    IF current_organization IS DISTINCT FROM hold.organization_id THEN
      IF newly_held > 0 THEN
        UPDATE wallets w SET held_nanos = w.held_nanos + newly_held WHERE w.organization_id = current_organization;
      END IF;
      current_organization := hold.organization_id;
      newly_held := 0;
      SELECT w.balance_nanos - w.held_nanos INTO available
        FROM wallets w WHERE w.organization_id = hold.organization_id FOR UPDATE;
    END IF;
    IF available >= hold.hold_min THEN
      held[hold.ordinal] := least(hold.hold_max, available);
      available := available - held[hold.ordinal];
      newly_held := newly_held + held[hold.ordinal];
    END IF;
  END LOOP;
  IF newly_held > 0 THEN
    UPDATE wallets w SET held_nanos = w.held_nanos + newly_held WHERE w.organization_id = current_organization;
  END IF;

  INSERT INTO request_records
    (id, organization_id, project_id, api_key_id, edge_instance_id, session_id, route, model, stream, held_nanos)
  SELECT b.request_id, b.organization_id, b.project_id, b.api_key_id, b.edge_instance_id, b.session_id, b.route,
         b.model, b.stream, b.held_nanos
  FROM ROWS FROM (
    jsonb_to_recordset(batch) AS (request_id text, organization_id text, project_id text, api_key_id text,
      edge_instance_id text, session_id text, route text, model text, stream boolean),
    unnest(held)
  ) AS b (request_id, organization_id, project_id, api_key_id, edge_instance_id, session_id, route, model, stream,
    held_nanos)
  WHERE b.held_nanos IS NOT NULL;

  RETURN QUERY
  SELECT b.request_id, b.held_nanos
  FROM ROWS FROM (jsonb_to_recordset(batch) AS (request_id text), unnest(held))
    WITH ORDINALITY AS b (request_id, held_nanos, ordinal)
  ORDER BY b.ordinal;
END
$$;

-- Ends each pending call once: frees its hold, charges at most what was held, books the rest as the platform's loss,
-- counts the usage and writes its events. A call that is not pending (any more) is left as it is: settled = false.
CREATE FUNCTION settle_requests(batch jsonb) RETURNS TABLE (request_id text, settled boolean)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
BEGIN
  PERFORM 1 FROM wallets w
  WHERE w.organization_id = ANY (ARRAY(
    SELECT b.organization_id FROM jsonb_to_recordset(batch) AS b (organization_id text)))
  ORDER BY w.organization_id FOR UPDATE;

  RETURN QUERY
  WITH settlement AS MATERIALIZED (
    SELECT * FROM ROWS FROM (jsonb_to_recordset(batch) AS (
      request_id text, organization_id text, status text, charge_nanos bigint, cost_state text, provider text,
      http_status int, error_code text, attempts jsonb, input_tokens int, cached_input_tokens int,
      cache_write_tokens int, output_tokens int, reasoning_tokens int, ttft_ms int, duration_ms int,
      charge_id text, overrun_id text, events jsonb)) WITH ORDINALITY AS b (
      request_id, organization_id, status, charge_nanos, cost_state, provider,
      http_status, error_code, attempts, input_tokens, cached_input_tokens,
      cache_write_tokens, output_tokens, reasoning_tokens, ttft_ms, duration_ms,
      charge_id, overrun_id, events, ordinal)
  ), ended AS (
    UPDATE request_records r SET
      status = s.status, provider = s.provider, http_status = s.http_status, error_code = s.error_code,
      attempts = s.attempts, input_tokens = s.input_tokens, cached_input_tokens = s.cached_input_tokens,
      cache_write_tokens = s.cache_write_tokens, output_tokens = s.output_tokens,
      reasoning_tokens = s.reasoning_tokens, ttft_ms = s.ttft_ms, duration_ms = s.duration_ms,
      customer_nanos = least(s.charge_nanos, r.held_nanos),
      overrun_nanos = greatest(s.charge_nanos - r.held_nanos, 0),
      cost_state = s.cost_state, finished_at = now()
    FROM settlement s
    WHERE r.id = s.request_id AND r.organization_id = s.organization_id AND r.status = 'pending'
    RETURNING r.*, s.ordinal, s.charge_id, s.overrun_id, s.events
  ), paid AS (
    UPDATE wallets w SET
      balance_nanos = w.balance_nanos - e.customer_nanos, held_nanos = w.held_nanos - e.held_nanos
    FROM (
      SELECT organization_id, sum(customer_nanos)::bigint AS customer_nanos, sum(held_nanos)::bigint AS held_nanos
      FROM ended GROUP BY organization_id
    ) e
    WHERE w.organization_id = e.organization_id
  ), booked AS (
    INSERT INTO ledger_transfers (id, organization_id, debit_account, credit_account, amount_nanos, kind, request_id)
    SELECT charge_id, organization_id, 'wallet:' || organization_id, 'platform:revenue', customer_nanos, 'charge', id
      FROM ended WHERE customer_nanos > 0
    UNION ALL
    SELECT overrun_id, organization_id, 'platform:loss', 'platform:revenue', overrun_nanos, 'overrun', id
      FROM ended WHERE overrun_nanos > 0
  ), counted AS (
    INSERT INTO usage_days AS u (organization_id, day, project_id, api_key_id, model, provider, request_count,
      input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, customer_nanos)
    SELECT organization_id, (created_at AT TIME ZONE 'UTC')::date, coalesce(project_id, ''), api_key_id, model,
      coalesce(provider, ''), count(*), sum(input_tokens), sum(cached_input_tokens), sum(cache_write_tokens),
      sum(output_tokens), sum(reasoning_tokens), sum(customer_nanos)
    FROM ended GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (organization_id, day, project_id, api_key_id, model, provider) DO UPDATE SET
      request_count = u.request_count + excluded.request_count,
      input_tokens = u.input_tokens + excluded.input_tokens,
      cached_input_tokens = u.cached_input_tokens + excluded.cached_input_tokens,
      cache_write_tokens = u.cache_write_tokens + excluded.cache_write_tokens,
      output_tokens = u.output_tokens + excluded.output_tokens,
      reasoning_tokens = u.reasoning_tokens + excluded.reasoning_tokens,
      customer_nanos = u.customer_nanos + excluded.customer_nanos
  ), announced AS (
    INSERT INTO outbox_events (id, organization_id, type, payload)
    SELECT v.id, v.organization_id, v.type, v.payload
    FROM ended, jsonb_to_recordset(ended.events) AS v (id text, organization_id text, type text, payload text)
  )
  SELECT s.request_id, s.ordinal IN (SELECT ordinal FROM ended)
  FROM settlement s ORDER BY s.ordinal;
END
$$;
