-- Decides what each call of a batch holds, one after the other within an organization. Writes nothing. Its caller has locked the wallets.
--
-- A hold has two parts: what the wallet pays, and what budgets count, which is more where the organization's own account at the provider is
-- paid too. A call that gives no range for its budgets has the same for both.
--
-- One element for each call: what its wallet holds (null: it is refused), what its budgets hold (null: the same), the periods of budgets that
-- the hold counts in, which budget refused it, its warning. One element for each budget in a period: the budget, its row as it was, what is spent and reserved now, whether a call
-- reserved something, whether it refused a call.
CREATE OR REPLACE FUNCTION decide_hold_parts(batch jsonb,
  OUT held bigint[], OUT budget_held bigint[], OUT budget_periods jsonb[], OUT refused_by int[], OUT warnings numeric[],
  OUT judged budgets[], OUT spends budget_spends[], OUT consumed bigint[], OUT grown boolean[], OUT refusing boolean[])
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  call_count CONSTANT int := jsonb_array_length(batch);
  today CONSTANT text := to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD');
  call record;
  organization text;
  available bigint;
  has_budgets boolean;
  -- By what decides it: which of these budgets count a call, from the first to the last. Calls that are alike look them up once.
  alike text[];
  firsts int[];
  lasts int[];
  active budgets[];
  subjects text[];
  facts text;
  kind int;
  found record;
  -- The periods that its budgets were judged for, and the number of those of earlier organizations.
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
  budget_held := array_fill(NULL::bigint, ARRAY[call_count]);
  budget_periods := array_fill(NULL::jsonb, ARRAY[call_count]);
  refused_by := array_fill(NULL::int, ARRAY[call_count]);
  warnings := array_fill(NULL::numeric, ARRAY[call_count]);
  judged := '{}';
  FOR call IN
    SELECT b.*
    FROM ROWS FROM (jsonb_to_recordset(batch) AS (organization_id text, project_id text, api_key_id text,
        session_id text, end_user_id text, model text, hold_min bigint, hold_max bigint,
        budget_min bigint, budget_max bigint))
      WITH ORDINALITY AS b (organization_id, project_id, api_key_id, session_id, end_user_id, model, hold_min, hold_max,
        budget_min, budget_max, ordinal)
    ORDER BY b.organization_id, b.ordinal
  LOOP
    IF organization IS DISTINCT FROM call.organization_id THEN
      organization := call.organization_id;
      -- Money that is owed for refunds and disputes is not available to calls.
      SELECT greatest(w.balance_nanos - w.held_nanos - w.owed_nanos, 0) INTO available FROM wallets w WHERE w.organization_id = organization;
      has_budgets := EXISTS (SELECT FROM budgets g WHERE g.organization_id = organization AND g.enabled);
      alike := '{}';
      active := '{}';
      keys := '{}';
      before := cardinality(judged);
    END IF;
    CONTINUE WHEN available IS NULL;

    kind := NULL;
    IF has_budgets THEN
      facts := (call.project_id, call.api_key_id, call.end_user_id, call.model, call.session_id IS NULL)::text;
      kind := array_position(alike, facts);
      IF kind IS NULL THEN
        found := budgets_that_count(organization, call.project_id, call.api_key_id, call.end_user_id, call.model, call.session_id);
        kind := cardinality(alike) + 1;
        alike[kind] := facts;
        firsts[kind] := cardinality(active) + 1;
        FOR place IN 1 .. cardinality(found.counting) LOOP
          subjects[cardinality(active) + 1] := found.subjects[place];
          active[cardinality(active) + 1] := found.counting[place];
        END LOOP;
        lasts[kind] := cardinality(active);
      END IF;
    END IF;
    IF kind IS NULL OR lasts[kind] < firsts[kind] THEN
      CONTINUE WHEN available < call.hold_min;
      held[call.ordinal] := least(call.hold_max, available);
      budget_held[call.ordinal] := call.budget_max;
    ELSE
      counting := '{}';
      FOR place IN firsts[kind] .. lasts[kind] LOOP
        budget := active[place];
        key := budget_period_key(budget, today, call.session_id);
        IF subjects[place] IS NOT NULL THEN
          key := key || ' ' || subjects[place];
        END IF;
        at := before + array_position(keys, budget.id || key);
        IF at IS NULL THEN
          keys := keys || (budget.id || key);
          at := before + cardinality(keys);
          judged[at] := budget;
          spends[at] := budget_spend_of(budget, key, subjects[place]);
          consumed[at] := spends[at].spent_nanos + spends[at].reserved_nanos;
          period_names[at] := jsonb_build_object('budget_id', budget.id, 'period_key', key);
        END IF;
        counting := counting || at;
      END LOOP;
      IF call.budget_max IS NULL THEN
        verdict := evaluate_budgets(counting, judged, consumed, call.hold_min, call.hold_max, available);
      ELSE
        -- The wallet limits its own part only, so here it pays for all or for nothing.
        verdict := evaluate_budgets(counting, judged, consumed, call.budget_min, call.budget_max,
          CASE WHEN available < call.hold_min THEN -1 ELSE call.budget_max END);
      END IF;
      warnings[call.ordinal] := verdict.warning_bps;
      IF verdict.refused_by IS NOT NULL THEN
        refused_by[call.ordinal] := verdict.refused_by;
        refusing[verdict.refused_by] := true;
      END IF;
      CONTINUE WHEN verdict.held IS NULL;
      IF call.budget_max IS NULL THEN
        held[call.ordinal] := verdict.held;
      ELSE
        budget_held[call.ordinal] := verdict.held;
        -- Budgets count each charge, so a charge never exceeds what they hold.
        held[call.ordinal] := least(call.hold_max, available, verdict.held);
      END IF;
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
