-- Holds what each call may cost, in the order given: at least its minimum, at most its maximum, and no more than its
-- wallet and every blocking budget in its scope have left. A call that is refused holds nothing and leaves nothing
-- behind, but for the time of a budget's first refusal; a smaller call after it may still fit. A budget that refuses
-- is named before the wallet is asked. Budget_held_nanos: what the budgets hold, null where it is what the wallet holds. A hold that was released before it came fails the whole batch. Its caller has locked the wallets.
CREATE OR REPLACE FUNCTION open_hold_parts(batch jsonb) RETURNS TABLE (request_id text, held_nanos bigint, budget_held_nanos bigint, refused_budget_id text,
  refused_budget_name text, warning_bps numeric)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  decided record;
  usage_tags text[];
  opened int;
BEGIN
  decided := decide_hold_parts(batch);

  UPDATE wallets w SET held_nanos = w.held_nanos + h.nanos
  FROM (
    SELECT b.organization_id, sum(b.held_nanos)::bigint AS nanos
    FROM ROWS FROM (jsonb_to_recordset(batch) AS (organization_id text), unnest(decided.held)) AS b (organization_id, held_nanos)
    GROUP BY 1
  ) h
  WHERE w.organization_id = h.organization_id AND h.nanos > 0;

  -- Most batches have no usage tag and no end user, so check first.
  IF batch @? '$[*] ? (@.usage_tag != null || @.end_user_id != null)' THEN
    usage_tags := book_usage_tags(batch, decided.held);
    PERFORM book_end_users(batch, decided.held);
  END IF;

  INSERT INTO request_records
    (id, organization_id, project_id, api_key_id, edge_instance_id, session_id, route, model, stream, held_nanos,
     trace_id, labels, policy_version, project_policy_version, key_policy_version, end_user_id, end_user,
     usage_tag, budget_held_nanos, budget_periods)
  SELECT b.request_id, b.organization_id, b.project_id, b.api_key_id, b.edge_instance_id, b.session_id, b.route,
         b.model, b.stream, b.held_nanos, b.trace_id, b.labels, b.policy_version,
         b.project_policy_version, b.key_policy_version, b.end_user_id, b.end_user, b.usage_tag, b.budget_held_nanos, b.budget_periods
  FROM ROWS FROM (
    jsonb_to_recordset(batch) AS (request_id text, organization_id text, project_id text, api_key_id text,
      edge_instance_id text, session_id text, route text, model text, stream boolean,
      trace_id text, labels jsonb, policy_version int, project_policy_version int, key_policy_version int,
      end_user_id text, end_user text),
    unnest(decided.held), unnest(decided.budget_held), unnest(decided.budget_periods), unnest(usage_tags)
  ) AS b (request_id, organization_id, project_id, api_key_id, edge_instance_id, session_id, route, model, stream,
    trace_id, labels, policy_version, project_policy_version, key_policy_version, end_user_id, end_user,
    held_nanos, budget_held_nanos, budget_periods, usage_tag)
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
  SELECT b.request_id, b.held_nanos, b.budget_held_nanos, (decided.judged[b.refused_by]).id, (decided.judged[b.refused_by]).name, b.warning_bps
  FROM ROWS FROM (jsonb_to_recordset(batch) AS (request_id text),
      unnest(decided.held), unnest(decided.budget_held), unnest(decided.refused_by), unnest(decided.warnings))
    WITH ORDINALITY AS b (request_id, held_nanos, budget_held_nanos, refused_by, warning_bps, ordinal)
  ORDER BY b.ordinal;
END
$$;
