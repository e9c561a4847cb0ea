-- Names the period of a budget that a call of this UTC day (2026-11-20) belongs to: the day, its month (2026-11) or the call's session.
CREATE OR REPLACE FUNCTION budget_period_key(budget budgets, today text, session_id text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE budget.period WHEN 'day' THEN today WHEN 'month' THEN left(today, 7) ELSE session_id END
$$;
