-- Whether an enabled budget of the call's organization counts the call. One for sessions counts no call without one.
CREATE OR REPLACE FUNCTION budget_counts(budget budgets, project_id text, api_key_id text, session_id text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE budget.scope
    WHEN 'project' THEN budget.scope_id IS NOT DISTINCT FROM project_id
    WHEN 'api_key' THEN budget.scope_id = api_key_id
    ELSE true END
    AND (budget.period <> 'session' OR session_id IS NOT NULL)
$$;
