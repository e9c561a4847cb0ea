-- Names the period of a budget that a call of this UTC day (2026-11-20) belongs to: the day, its week (2026-W47, ISO 8601), its month
-- (2026-11), its quarter (2026-Q4) or the call's session.
CREATE OR REPLACE FUNCTION budget_period_key(budget budgets, today text, session_id text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE budget.period
    WHEN 'day' THEN today
    WHEN 'week' THEN to_char(today::timestamp, 'IYYY-"W"IW')
    WHEN 'month' THEN left(today, 7)
    WHEN 'quarter' THEN to_char(today::timestamp, 'YYYY-"Q"Q')
    ELSE session_id END
$$;
