-- Budgets are judged where the money is: inside open_holds, under the lock of the organization's wallet. So what is
-- in flight counts, however many edges there are, and whoever writes spent_nanos or reserved_nanos holds that lock.

ALTER TABLE budgets ADD CHECK (amount_nanos <= 9007199254740991);

ALTER TABLE budget_spends
  ADD COLUMN reserved_nanos BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN refused_at TIMESTAMPTZ(3),
  ADD COLUMN review_due BOOLEAN NOT NULL DEFAULT true,
  ADD CHECK (reserved_nanos >= 0);
ALTER TABLE budget_spends SET (fillfactor = 50);

-- The flag changes once a tick, however often the row does: the other updates stay on their page.
CREATE INDEX budget_spends_review_due ON budget_spends (budget_id, period_key) WHERE review_due;

ALTER TABLE request_records ADD COLUMN budget_periods JSONB;

-- What the budget's scope has used in a day or month. A session is known by its own row only.
CREATE FUNCTION budget_usage(budget budgets, period_key text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(u.customer_nanos), 0)::bigint
  FROM usage_days u
  WHERE u.organization_id = budget.organization_id
    AND CASE budget.scope
      WHEN 'project' THEN u.project_id = budget.scope_id
      WHEN 'api_key' THEN u.api_key_id = budget.scope_id
      ELSE true END
    AND CASE budget.period
      WHEN 'day' THEN u.day = period_key::date
      WHEN 'month' THEN u.day >= (period_key || '-01')::date
        AND u.day < (period_key || '-01')::date + interval '1 month'
      ELSE false END
$$;

-- The row of a budget's period; where there is none yet, the one it would begin with.
CREATE FUNCTION budget_spend_of(budget budgets, period text) RETURNS budget_spends LANGUAGE plpgsql AS $$
DECLARE
  spend budget_spends;
BEGIN
  SELECT * INTO spend FROM budget_spends s WHERE s.budget_id = budget.id AND s.period_key = period;
  IF NOT FOUND THEN
    spend.budget_id := budget.id;
    spend.period_key := period;
    spend.spent_nanos := budget_usage(budget, period);
    spend.reserved_nanos := 0;
    spend.updated_at := now();
  END IF;
  RETURN spend;
END
$$;

-- Consumption in basis points, rounded down. A budget of nothing is consumed whole.
CREATE FUNCTION budget_bps(consumed numeric, amount bigint) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE amount WHEN 0 THEN 10000 ELSE div(consumed * 10000, amount) END
$$;

DROP FUNCTION open_holds(jsonb);

-- Holds what each call may cost, in the order given: at least its minimum, at most its maximum, and no more than its
-- wallet and every blocking budget in its scope have left. A call that is refused holds nothing and leaves nothing
-- behind, but for the time of a budget's first refusal; a smaller call after it may still fit. A budget that refuses
-- is named before the wallet is asked.
CREATE FUNCTION open_holds(batch jsonb) RETURNS TABLE (request_id text, held_nanos bigint, refused_budget_id text,
  refused_budget_name text, warning_bps numeric)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  call_count int := jsonb_array_length(batch);
  today text := to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD');
  hold record;
  current_organization text;
  available bigint;
  newly_held bigint := 0;
  held bigint[] := array_fill(NULL::bigint, ARRAY[call_count]);

  active budgets[];
  budget budgets;
  key text;
  -- What is reserved in each period of a budget, written once for the whole batch; review_due: it changed.
  spends budget_spends[] := '{}';
  spend_keys text[] := '{}';
  at int;
  spend budget_spends;
  reached int[];
  reached_budgets budgets[];
  ceiling bigint;
  room bigint;
  tightest int;
  projected numeric;
  consumption numeric;
  warn_at int;
  periods jsonb;
  budget_periods jsonb[] := array_fill(NULL::jsonb, ARRAY[call_count]);
  refused_ids text[] := array_fill(NULL::text, ARRAY[call_count]);
  refused_names text[] := array_fill(NULL::text, ARRAY[call_count]);
  warnings numeric[] := array_fill(NULL::numeric, ARRAY[call_count]);
BEGIN
  FOR hold IN
    SELECT b.organization_id, b.project_id, b.api_key_id, b.session_id, b.hold_min, b.hold_max, b.ordinal
    FROM ROWS FROM (jsonb_to_recordset(batch) AS (organization_id text, project_id text, api_key_id text,
        session_id text, hold_min bigint, hold_max bigint))
      WITH ORDINALITY AS b (organization_id, project_id, api_key_id, session_id, hold_min, hold_max, ordinal)
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
      active := ARRAY(
        SELECT g FROM budgets g WHERE g.organization_id = hold.organization_id AND g.enabled ORDER BY g.id);
    END IF;
    CONTINUE WHEN available IS NULL;

    ceiling := hold.hold_max;
    IF cardinality(active) > 0 THEN
      tightest := NULL;
      reached := '{}';
      reached_budgets := '{}';
      FOREACH budget IN ARRAY active LOOP
        CONTINUE WHEN budget.scope = 'project' AND budget.scope_id IS DISTINCT FROM hold.project_id
          OR budget.scope = 'api_key' AND budget.scope_id <> hold.api_key_id
          OR budget.period = 'session' AND hold.session_id IS NULL;
        key := CASE budget.period WHEN 'day' THEN today WHEN 'month' THEN left(today, 7) ELSE hold.session_id END;
        at := array_position(spend_keys, budget.id || key);
        IF at IS NULL THEN
          spend := budget_spend_of(budget, key);
          spend.review_due := false;
          spends := spends || spend;
          spend_keys := spend_keys || (budget.id || key);
          at := cardinality(spends);
        END IF;
        spend := spends[at];
        reached := reached || at;
        reached_budgets := reached_budgets || budget;
        room := budget.amount_nanos - spend.spent_nanos - spend.reserved_nanos;
        IF budget.action = 'block' AND room < ceiling THEN
          ceiling := room;
          tightest := cardinality(reached);
        END IF;
      END LOOP;

      IF ceiling < hold.hold_min THEN
        budget := reached_budgets[tightest];
        refused_ids[hold.ordinal] := budget.id;
        refused_names[hold.ordinal] := budget.name;
        at := reached[tightest];
        spend := spends[at];
        IF spend.refused_at IS NULL THEN
          spend.refused_at := now();
          spend.review_due := true;
          spends[at] := spend;
        END IF;
      END IF;
    END IF;

    IF least(ceiling, available) >= hold.hold_min THEN
      held[hold.ordinal] := least(ceiling, available);
      available := available - held[hold.ordinal];
      newly_held := newly_held + held[hold.ordinal];
    END IF;
    CONTINUE WHEN cardinality(active) = 0;

    -- What the call adds to its budgets: what it holds, or would at least have held.
    consumption := -1;
    periods := NULL;
    FOR n IN 1 .. cardinality(reached) LOOP
      budget := reached_budgets[n];
      spend := spends[reached[n]];
      projected := budget_bps(
        spend.spent_nanos::numeric + spend.reserved_nanos + coalesce(held[hold.ordinal], hold.hold_min),
        budget.amount_nanos);
      IF projected > consumption OR projected = consumption AND budget.warn_at_bps < warn_at THEN
        consumption := projected;
        warn_at := budget.warn_at_bps;
      END IF;
      IF held[hold.ordinal] IS NOT NULL THEN
        spend.reserved_nanos := spend.reserved_nanos + held[hold.ordinal];
        spend.review_due := true;
        spends[reached[n]] := spend;
        periods := coalesce(periods, '[]')
          || jsonb_build_object('budget_id', spend.budget_id, 'period_key', spend.period_key);
      END IF;
    END LOOP;
    budget_periods[hold.ordinal] := periods;
    IF consumption >= warn_at THEN
      warnings[hold.ordinal] := consumption;
    END IF;
  END LOOP;
  IF newly_held > 0 THEN
    UPDATE wallets w SET held_nanos = w.held_nanos + newly_held WHERE w.organization_id = current_organization;
  END IF;

  IF cardinality(spends) > 0 THEN
    INSERT INTO budget_spends SELECT * FROM unnest(spends) s WHERE s.review_due
    ON CONFLICT (budget_id, period_key) DO UPDATE SET reserved_nanos = excluded.reserved_nanos,
      refused_at = excluded.refused_at, review_due = true, updated_at = now();
  END IF;

  INSERT INTO request_records
    (id, organization_id, project_id, api_key_id, edge_instance_id, session_id, route, model, stream, held_nanos,
     budget_periods)
  SELECT b.request_id, b.organization_id, b.project_id, b.api_key_id, b.edge_instance_id, b.session_id, b.route,
         b.model, b.stream, b.held_nanos, b.budget_periods
  FROM ROWS FROM (
    jsonb_to_recordset(batch) AS (request_id text, organization_id text, project_id text, api_key_id text,
      edge_instance_id text, session_id text, route text, model text, stream boolean),
    unnest(held), unnest(budget_periods)
  ) AS b (request_id, organization_id, project_id, api_key_id, edge_instance_id, session_id, route, model, stream,
    held_nanos, budget_periods)
  WHERE b.held_nanos IS NOT NULL;

  RETURN QUERY
  SELECT b.request_id, b.held_nanos, b.refused_budget_id, b.refused_budget_name, b.warning_bps
  FROM ROWS FROM (jsonb_to_recordset(batch) AS (request_id text),
      unnest(held), unnest(refused_ids), unnest(refused_names), unnest(warnings))
    WITH ORDINALITY AS b (request_id, held_nanos, refused_budget_id, refused_budget_name, warning_bps, ordinal)
  ORDER BY b.ordinal;
END
$$;

-- What the budgets of a call held for it, they have spent or free again: in the periods in which the call began.
CREATE OR REPLACE FUNCTION settle_requests(batch jsonb) RETURNS TABLE (request_id text, settled boolean)
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
  ), consumed AS (
    UPDATE budget_spends s SET
      -- Never an obstacle to the charge: a reservation that is not there is not freed.
      reserved_nanos = greatest(s.reserved_nanos - e.held_nanos, 0),
      spent_nanos = s.spent_nanos + e.customer_nanos, review_due = true, updated_at = now()
    FROM (
      SELECT p.budget_id, p.period_key, sum(held_nanos)::bigint AS held_nanos, sum(customer_nanos)::bigint AS customer_nanos
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

-- The current days and months of budgets that don't say what the books say: usage that passed a budget by (it was
-- made, or disabled for a while, in the middle of a period). Read and mended under the lock of the wallet.
CREATE VIEW budget_drift AS
  WITH reserved AS (
    SELECT p.budget_id, p.period_key, sum(r.held_nanos)::bigint AS nanos
    FROM request_records r, jsonb_to_recordset(r.budget_periods) AS p (budget_id text, period_key text)
    WHERE r.status = 'pending'
    GROUP BY 1, 2
  ), booked AS (
    SELECT g.organization_id, s.budget_id, s.period_key, budget_usage(g, s.period_key) AS spent_nanos,
      coalesce(r.nanos, 0) AS reserved_nanos, s.spent_nanos AS shown_spent, s.reserved_nanos AS shown_reserved
    FROM budgets g
    JOIN budget_spends s ON s.budget_id = g.id
      AND s.period_key = to_char(now() AT TIME ZONE 'UTC', CASE g.period WHEN 'day' THEN 'YYYY-MM-DD' ELSE 'YYYY-MM' END)
    LEFT JOIN reserved r ON r.budget_id = s.budget_id AND r.period_key = s.period_key
    WHERE g.enabled AND g.period IN ('day', 'month')
  )
  SELECT organization_id, budget_id, period_key, spent_nanos, reserved_nanos
  FROM booked
  WHERE spent_nanos <> shown_spent OR reserved_nanos <> shown_reserved;
