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
      -- What the wallet owes for refunds and disputes is no call's to hold.
      SELECT greatest(w.balance_nanos - w.held_nanos - w.owed_nanos, 0) INTO available FROM wallets w WHERE w.organization_id = organization;
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
