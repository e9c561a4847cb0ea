-- Holds an amount as a whole for something that outlives processes, by the rule of calls (decide_hold_parts): nanos of the wallet, and
-- budget_nanos (absent: the same) of its budgets. One row: what is held, or null and
-- which budget refused it (null: the wallet). A refusal writes nothing but the time of a budget's first one. An id that was held before
-- fails. Locks the wallet.
CREATE OR REPLACE FUNCTION open_standing_hold(hold jsonb) RETURNS TABLE (held_nanos bigint, refused_budget_id text,
  refused_budget_name text, warning_bps numeric)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  -- A user who holds without a key counts in no key's budget: none has this id.
  asked CONSTANT jsonb := jsonb_build_object(
    'organization_id', hold->>'organization_id', 'project_id', hold->>'project_id',
    'api_key_id', coalesce(hold->>'api_key_id', ''), 'model', hold->>'model', 'hold_min', hold->>'nanos', 'hold_max', hold->>'nanos',
    'budget_min', hold->>'budget_nanos', 'budget_max', hold->>'budget_nanos');
  decided record;
BEGIN
  PERFORM lock_wallets(ARRAY[hold->>'organization_id'], true);
  decided := decide_hold_parts(jsonb_build_array(asked));

  IF decided.held[1] IS NOT NULL THEN
    UPDATE wallets w SET held_nanos = w.held_nanos + decided.held[1] WHERE w.organization_id = hold->>'organization_id';
    INSERT INTO standing_holds (id, organization_id, project_id, api_key_id, kind, model, provider, held_nanos, budget_held_nanos, budget_periods)
    VALUES (hold->>'id', hold->>'organization_id', coalesce(hold->>'project_id', ''), coalesce(hold->>'api_key_id', ''),
      hold->>'kind', hold->>'model', hold->>'provider', decided.held[1], decided.budget_held[1], decided.budget_periods[1]);
  END IF;
  IF cardinality(decided.judged) > 0 THEN
    PERFORM write_budget_spends(decided.spends, decided.consumed, decided.grown, decided.refusing);
  END IF;

  RETURN QUERY SELECT decided.held[1], (decided.judged[decided.refused_by[1]]).id,
    (decided.judged[decided.refused_by[1]]).name, decided.warnings[1];
END
$$;
