-- open_holds in named parts: what is decided, the rule of budgets, and what is written (docs/decisions/0019).

-- libs/persistence/sql/budgets/budget_counts.sql
-- Whether an enabled budget of the call's organization counts the call. One for sessions counts no call without one.
CREATE OR REPLACE FUNCTION budget_counts(budget budgets, project_id text, api_key_id text, session_id text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE budget.scope
    WHEN 'project' THEN budget.scope_id IS NOT DISTINCT FROM project_id
    WHEN 'api_key' THEN budget.scope_id = api_key_id
    ELSE true END
    AND (budget.period <> 'session' OR session_id IS NOT NULL)
$$;

-- libs/persistence/sql/budgets/budget_period_key.sql
-- Names the period of a budget that a call of this UTC day (2026-11-20) belongs to: the day, its month (2026-11) or the call's session.
CREATE OR REPLACE FUNCTION budget_period_key(budget budgets, today text, session_id text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE budget.period WHEN 'day' THEN today WHEN 'month' THEN left(today, 7) ELSE session_id END
$$;

-- libs/persistence/sql/budgets/evaluate_budgets.sql
-- What a call may hold: as much of its range as the wallet and every blocking budget that counts it can pay. Less than its minimum refuses
-- it, by the budget with the least left, or else by the wallet (held and refused_by are null). Warning: the projected consumption of the
-- most consumed budget, once it reaches that budget's threshold. A refused call is projected with its minimum.
--
-- Counting: where the budgets that count the call are in the arrays, by their ids. Consumed: spent, and reserved by calls in flight.
CREATE OR REPLACE FUNCTION evaluate_budgets(counting int[], budgets budgets[], consumed bigint[], hold_min bigint, hold_max bigint,
  available bigint, OUT held bigint, OUT refused_by int, OUT warning_bps numeric) LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  at int;
  budget budgets;
  ceiling bigint := hold_max;
  tightest int;
  projected numeric;
  warn_at int;
BEGIN
  FOREACH at IN ARRAY counting LOOP
    budget := budgets[at];
    IF budget.action = 'block' AND budget.amount_nanos - consumed[at] < ceiling THEN
      ceiling := budget.amount_nanos - consumed[at];
      tightest := at;
    END IF;
  END LOOP;
  IF ceiling < hold_min THEN
    refused_by := tightest;
  ELSIF available >= hold_min THEN
    held := least(ceiling, available);
  END IF;

  FOREACH at IN ARRAY counting LOOP
    budget := budgets[at];
    projected := budget_bps(consumed[at]::numeric + coalesce(held, hold_min), budget.amount_nanos);
    IF warning_bps IS NULL OR projected > warning_bps OR projected = warning_bps AND budget.warn_at_bps < warn_at THEN
      warning_bps := projected;
      warn_at := budget.warn_at_bps;
    END IF;
  END LOOP;
  IF warning_bps < warn_at THEN
    warning_bps := NULL;
  END IF;
END
$$;

-- libs/persistence/sql/budgets/write_budget_spends.sql
-- Writes the periods of budgets in which calls held something, and those that refused their first call.
-- Spends: their rows as they were. Consumed: what was spent of each, and is reserved now.
CREATE OR REPLACE FUNCTION write_budget_spends(spends budget_spends[], consumed bigint[], grown boolean[], refusing boolean[])
RETURNS void LANGUAGE sql AS $$
  INSERT INTO budget_spends AS s (budget_id, period_key, spent_nanos, reserved_nanos, refused_at)
  SELECT spends[at].budget_id, spends[at].period_key, spends[at].spent_nanos, consumed[at] - spends[at].spent_nanos,
    CASE WHEN refusing[at] THEN now() END
  FROM generate_subscripts(spends, 1) AS at
  WHERE grown[at] OR refusing[at] AND spends[at].refused_at IS NULL
  ON CONFLICT (budget_id, period_key) DO UPDATE SET reserved_nanos = excluded.reserved_nanos,
    refused_at = coalesce(s.refused_at, excluded.refused_at), review_due = true, updated_at = now()
$$;

-- libs/persistence/sql/ledger/decide_holds.sql
-- Decides what each call of a batch holds, one after the other within an organization. Writes nothing. Its caller has locked the wallets.
--
-- One element for each call: what it holds (null: it is refused), the periods of budgets that the hold counts in, which budget refused it,
-- its warning. One element for each budget in a period: the budget, its row as it was, what is spent and reserved now, whether a call
-- reserved something, whether it refused a call.
CREATE OR REPLACE FUNCTION decide_holds(batch jsonb,
  OUT held bigint[], OUT budget_periods jsonb[], OUT refused_by int[], OUT warnings numeric[],
  OUT judged budgets[], OUT spends budget_spends[], OUT consumed bigint[], OUT grown boolean[], OUT refusing boolean[])
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  call_count CONSTANT int := jsonb_array_length(batch);
  today CONSTANT text := to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD');
  call record;
  organization text;
  available bigint;
  active budgets[];
  -- The periods that its budgets were judged for, and how many before had been judged for before.
  keys text[];
  before int;
  budget budgets;
  key text;
  at int;
  counting int[];
  verdict record;
  period_names jsonb[];
  periods jsonb;
BEGIN
  held := array_fill(NULL::bigint, ARRAY[call_count]);
  budget_periods := array_fill(NULL::jsonb, ARRAY[call_count]);
  refused_by := array_fill(NULL::int, ARRAY[call_count]);
  warnings := array_fill(NULL::numeric, ARRAY[call_count]);
  judged := '{}';
  FOR call IN
    SELECT b.organization_id, b.project_id, b.api_key_id, b.session_id, b.hold_min, b.hold_max, b.ordinal
    FROM ROWS FROM (jsonb_to_recordset(batch) AS (organization_id text, project_id text, api_key_id text,
        session_id text, hold_min bigint, hold_max bigint))
      WITH ORDINALITY AS b (organization_id, project_id, api_key_id, session_id, hold_min, hold_max, ordinal)
    ORDER BY b.organization_id, b.ordinal
  LOOP
    IF organization IS DISTINCT FROM call.organization_id THEN
      organization := call.organization_id;
      SELECT w.balance_nanos - w.held_nanos INTO available FROM wallets w WHERE w.organization_id = organization;
      active := ARRAY(SELECT g FROM budgets g WHERE g.organization_id = organization AND g.enabled ORDER BY g.id);
      keys := '{}';
      before := cardinality(judged);
    END IF;
    CONTINUE WHEN available IS NULL;

    IF cardinality(active) = 0 THEN
      CONTINUE WHEN available < call.hold_min;
      held[call.ordinal] := least(call.hold_max, available);
    ELSE
      counting := '{}';
      FOREACH budget IN ARRAY active LOOP
        CONTINUE WHEN NOT budget_counts(budget, call.project_id, call.api_key_id, call.session_id);
        key := budget_period_key(budget, today, call.session_id);
        at := before + array_position(keys, budget.id || key);
        IF at IS NULL THEN
          keys := keys || (budget.id || key);
          at := before + cardinality(keys);
          judged[at] := budget;
          spends[at] := budget_spend_of(budget, key);
          consumed[at] := spends[at].spent_nanos + spends[at].reserved_nanos;
          period_names[at] := jsonb_build_object('budget_id', budget.id, 'period_key', key);
        END IF;
        counting := counting || at;
      END LOOP;
      verdict := evaluate_budgets(counting, judged, consumed, call.hold_min, call.hold_max, available);
      warnings[call.ordinal] := verdict.warning_bps;
      IF verdict.refused_by IS NOT NULL THEN
        refused_by[call.ordinal] := verdict.refused_by;
        refusing[verdict.refused_by] := true;
      END IF;
      CONTINUE WHEN verdict.held IS NULL;
      held[call.ordinal] := verdict.held;
      periods := '[]';
      FOREACH at IN ARRAY counting LOOP
        consumed[at] := consumed[at] + verdict.held;
        grown[at] := true;
        periods := periods || period_names[at];
      END LOOP;
      budget_periods[call.ordinal] := nullif(periods, '[]');
    END IF;
    available := available - held[call.ordinal];
  END LOOP;
END
$$;

-- libs/persistence/sql/ledger/open_holds.sql
-- Holds what each call may cost, in the order given: at least its minimum, at most its maximum, and no more than its
-- wallet and every blocking budget in its scope have left. A call that is refused holds nothing and leaves nothing
-- behind, but for the time of a budget's first refusal; a smaller call after it may still fit. A budget that refuses
-- is named before the wallet is asked. A hold that was released before it came fails the whole batch. Its caller has locked the wallets.
CREATE OR REPLACE FUNCTION open_holds(batch jsonb) RETURNS TABLE (request_id text, held_nanos bigint, refused_budget_id text,
  refused_budget_name text, warning_bps numeric)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  decided record;
  opened int;
BEGIN
  decided := decide_holds(batch);

  UPDATE wallets w SET held_nanos = w.held_nanos + h.nanos
  FROM (
    SELECT b.organization_id, sum(b.held_nanos)::bigint AS nanos
    FROM ROWS FROM (jsonb_to_recordset(batch) AS (organization_id text), unnest(decided.held)) AS b (organization_id, held_nanos)
    GROUP BY 1
  ) h
  WHERE w.organization_id = h.organization_id AND h.nanos > 0;

  INSERT INTO request_records
    (id, organization_id, project_id, api_key_id, edge_instance_id, session_id, route, model, stream, held_nanos,
     budget_periods)
  SELECT b.request_id, b.organization_id, b.project_id, b.api_key_id, b.edge_instance_id, b.session_id, b.route,
         b.model, b.stream, b.held_nanos, b.budget_periods
  FROM ROWS FROM (
    jsonb_to_recordset(batch) AS (request_id text, organization_id text, project_id text, api_key_id text,
      edge_instance_id text, session_id text, route text, model text, stream boolean),
    unnest(decided.held), unnest(decided.budget_periods)
  ) AS b (request_id, organization_id, project_id, api_key_id, edge_instance_id, session_id, route, model, stream,
    held_nanos, budget_periods)
  WHERE b.held_nanos IS NOT NULL
    AND NOT EXISTS (SELECT FROM released_holds t WHERE t.request_id = b.request_id);
  GET DIAGNOSTICS opened = ROW_COUNT;
  IF opened < cardinality(array_remove(decided.held, NULL)) THEN
    RAISE EXCEPTION 'a hold was released before it was opened' USING ERRCODE = 'unique_violation';
  END IF;

  IF cardinality(decided.judged) > 0 THEN
    PERFORM write_budget_spends(decided.spends, decided.consumed, decided.grown, decided.refusing);
  END IF;

  RETURN QUERY
  SELECT b.request_id, b.held_nanos, (decided.judged[b.refused_by]).id, (decided.judged[b.refused_by]).name, b.warning_bps
  FROM ROWS FROM (jsonb_to_recordset(batch) AS (request_id text),
      unnest(decided.held), unnest(decided.refused_by), unnest(decided.warnings))
    WITH ORDINALITY AS b (request_id, held_nanos, refused_by, warning_bps, ordinal)
  ORDER BY b.ordinal;
END
$$;
