-- The books when a server is stalled, read-only, cancelling or locked (docs/failures.md).

-- The worker writes it every two seconds. Only a database that takes writes can prolong a lease, so only while this row shows that
-- it took them without a gap may a lapsed lease be held against its owner.
CREATE TABLE database_heartbeat (
  id INTEGER NOT NULL DEFAULT 1,
  -- Since then no two beats were further apart than a gap.
  writable_since TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  beaten_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT database_heartbeat_pkey PRIMARY KEY (id),
  CONSTRAINT database_heartbeat_is_one CHECK (id = 1)
);
INSERT INTO database_heartbeat DEFAULT VALUES;

-- A hold whose answer was lost, released before it was known whether it had been opened: opened later, it would be nobody's.
CREATE TABLE released_holds (
  request_id TEXT NOT NULL,
  released_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT released_holds_pkey PRIMARY KEY (request_id)
);
CREATE INDEX released_holds_released_at_idx ON released_holds (released_at);

-- A beat. Two that are ten seconds apart leave a gap: a lease of 30 s that is renewed every 10 s outlives a shorter one.
CREATE FUNCTION beat_database_heartbeat() RETURNS void LANGUAGE sql AS $$
  INSERT INTO database_heartbeat AS b (id, writable_since, beaten_at) VALUES (1, clock_timestamp(), clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET
    writable_since = CASE WHEN b.beaten_at < clock_timestamp() - interval '10 s' THEN clock_timestamp() ELSE b.writable_since END,
    beaten_at = clock_timestamp()
$$;

-- Whether the database has taken writes for the length of a lease without a gap, until now: whoever lives has renewed.
CREATE FUNCTION leases_are_proof() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM database_heartbeat b
    WHERE b.beaten_at > clock_timestamp() - interval '10 s' AND b.writable_since < clock_timestamp() - interval '30 s')
$$;

-- Whether an edge process is dead, and its calls are the worker's to close.
CREATE FUNCTION edge_is_lost(instance_id text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT leases_are_proof() AND NOT EXISTS (
    SELECT FROM edge_instances e WHERE e.id = instance_id AND e.lease_until > clock_timestamp())
$$;

-- Locks the wallets of these organizations (each named once) until the transaction ends. A batch that waited for one would keep the others
-- locked meanwhile, and so whoever wants those. It fails instead, and names the locked ones in its detail, unless it is told to wait.
CREATE FUNCTION lock_wallets(organizations text[], waits boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  locked text[];
  busy text[];
BEGIN
  IF waits THEN
    PERFORM 1 FROM wallets w WHERE w.organization_id = ANY (organizations) ORDER BY w.organization_id FOR NO KEY UPDATE;
    RETURN;
  END IF;
  locked := ARRAY(
    SELECT w.organization_id FROM wallets w WHERE w.organization_id = ANY (organizations) FOR NO KEY UPDATE SKIP LOCKED);
  IF cardinality(locked) < cardinality(organizations) THEN
    busy := ARRAY(
      SELECT w.organization_id FROM wallets w
      WHERE w.organization_id = ANY (organizations) AND w.organization_id <> ALL (locked));
    IF cardinality(busy) > 0 THEN
      RAISE EXCEPTION 'wallets are locked' USING ERRCODE = 'lock_not_available', DETAIL = array_to_string(busy, ',');
    END IF;
  END IF;
END
$$;

-- Holds what each call may cost, in the order given: at least its minimum, at most its maximum, and no more than its
-- wallet and every blocking budget in its scope have left. A call that is refused holds nothing and leaves nothing
-- behind, but for the time of a budget's first refusal; a smaller call after it may still fit. A budget that refuses
-- is named before the wallet is asked. A hold that was released before it came fails the whole batch.
CREATE OR REPLACE FUNCTION open_holds(batch jsonb) RETURNS TABLE (request_id text, held_nanos bigint, refused_budget_id text,
  refused_budget_name text, warning_bps numeric)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  call_count int := jsonb_array_length(batch);
  today text := to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD');
  hold record;
  current_organization text;
  available bigint;
  newly_held bigint := 0;
  opened int;
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
        FROM wallets w WHERE w.organization_id = hold.organization_id FOR NO KEY UPDATE;
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
  WHERE b.held_nanos IS NOT NULL
    AND NOT EXISTS (SELECT FROM released_holds t WHERE t.request_id = b.request_id);
  GET DIAGNOSTICS opened = ROW_COUNT;
  IF opened < cardinality(array_remove(held, NULL)) THEN
    RAISE EXCEPTION 'a hold was released before it was opened' USING ERRCODE = 'unique_violation';
  END IF;

  RETURN QUERY
  SELECT b.request_id, b.held_nanos, b.refused_budget_id, b.refused_budget_name, b.warning_bps
  FROM ROWS FROM (jsonb_to_recordset(batch) AS (request_id text),
      unnest(held), unnest(refused_ids), unnest(refused_names), unnest(warnings))
    WITH ORDINALITY AS b (request_id, held_nanos, refused_budget_id, refused_budget_name, warning_bps, ordinal)
  ORDER BY b.ordinal;
END
$$;

-- Ends each pending call once: frees its hold, charges at most what was held, books the rest as the platform's loss,
-- counts the usage, writes its events. What the call's budgets held for it, they have spent or free again, in the periods in which it
-- began. A call that is not pending (any more) is left as it is: settled = false. Its caller has locked the wallets.
CREATE FUNCTION settle_calls(batch jsonb) RETURNS TABLE (request_id text, settled boolean)
LANGUAGE plpgsql SET enable_indexscan = off AS $$
#variable_conflict use_column
BEGIN
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
    WHERE r.id = s.request_id AND r.organization_id = s.organization_id AND r.finished_at IS NULL
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

-- For the version before, which runs beside this one.
CREATE OR REPLACE FUNCTION settle_requests(batch jsonb) RETURNS TABLE (request_id text, settled boolean)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  PERFORM 1 FROM wallets w
  WHERE w.organization_id = ANY (ARRAY(
    SELECT b.organization_id FROM jsonb_to_recordset(batch) AS b (organization_id text)))
  ORDER BY w.organization_id FOR UPDATE;
  RETURN QUERY SELECT s.request_id, s.settled FROM settle_calls(batch) s;
END
$$;
ALTER FUNCTION settle_requests(jsonb) RESET ALL;

-- Settlements and holds in one transaction, under the locks of their wallets. The settlements come first, so that what they free can be
-- held again. Rows in the order of the settlements, then of the holds; either may be null. Organizations: of all of them, each once.
CREATE FUNCTION book_calls(settlements jsonb, holds jsonb, organizations text[], waits boolean) RETURNS TABLE (
  settled boolean, held_nanos bigint, refused_budget_id text, refused_budget_name text, warning_bps numeric)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  PERFORM lock_wallets(organizations, waits);
  IF settlements IS NOT NULL THEN
    RETURN QUERY
    SELECT s.settled, NULL::bigint, NULL::text, NULL::text, NULL::numeric FROM settle_calls(settlements) s;
  END IF;
  IF holds IS NOT NULL THEN
    RETURN QUERY
    SELECT NULL::boolean, h.held_nanos, h.refused_budget_id, h.refused_budget_name, h.warning_bps FROM open_holds(holds) h;
  END IF;
END
$$;

-- Releases holds of which nobody knows whether they were opened: those that were are settled as the batch says, and the others are kept
-- from being opened. Either the wallet's lock comes here first, and the hold finds this out, or the hold's did, and this finds the hold.
CREATE FUNCTION release_holds(batch jsonb, organizations text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_wallets(organizations, true);
  INSERT INTO released_holds (request_id)
  SELECT s.request_id FROM settle_calls(batch) s
  WHERE NOT s.settled AND NOT EXISTS (SELECT FROM request_records r WHERE r.id = s.request_id)
  ON CONFLICT DO NOTHING;
END
$$;

-- Settles calls as the batch says whose edge is lost, as it is seen here: a renewal of its lease waits for this, or has been made.
-- Organizations whose wallet is locked are left for the next time. Returns what was closed.
CREATE FUNCTION close_abandoned_calls(batch jsonb) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  locked text[];
  lost jsonb;
BEGIN
  locked := ARRAY(
    SELECT w.organization_id FROM wallets w
    WHERE w.organization_id IN (SELECT b.organization_id FROM jsonb_to_recordset(batch) AS b (organization_id text))
    FOR NO KEY UPDATE SKIP LOCKED);
  PERFORM 1 FROM edge_instances e
  WHERE e.id IN (
    SELECT r.edge_instance_id
    FROM jsonb_to_recordset(batch) AS b (request_id text) JOIN request_records r ON r.id = b.request_id)
  ORDER BY e.id FOR SHARE;
  lost := (
    SELECT jsonb_agg(b.call)
    FROM jsonb_array_elements(batch) AS b (call) JOIN request_records r ON r.id = b.call ->> 'request_id'
    WHERE b.call ->> 'organization_id' = ANY (locked) AND edge_is_lost(r.edge_instance_id));
  IF lost IS NOT NULL THEN
    RETURN QUERY SELECT s.request_id FROM settle_calls(lost) s WHERE s.settled;
  END IF;
END
$$;
