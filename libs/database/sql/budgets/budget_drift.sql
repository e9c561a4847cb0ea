-- The current periods of budgets, sessions aside, that don't say what the books say: usage that passed a budget by (it was made, or
-- disabled for a while, in the middle of a period). Read and mended under the lock of the wallet. The usage of an end user may name them
-- in some of the days only, so it never lowers what their budget counted.
CREATE OR REPLACE VIEW budget_drift AS
  WITH reserved AS (
    SELECT p.budget_id, p.period_key, sum(h.held_nanos)::bigint AS nanos
    FROM (
      SELECT coalesce(budget_held_nanos, held_nanos) AS held_nanos, budget_periods FROM request_records WHERE status = 'pending'
      UNION ALL
      SELECT coalesce(budget_held_nanos, held_nanos), budget_periods FROM standing_holds WHERE settled_at IS NULL
    ) h, jsonb_to_recordset(h.budget_periods) AS p (budget_id text, period_key text)
    GROUP BY 1, 2
  ), booked AS (
    SELECT g.organization_id, s.budget_id, s.period_key,
      CASE g.scope WHEN 'end_user' THEN greatest(budget_usage(g, s.period_key), s.spent_nanos)
        ELSE budget_usage(g, s.period_key) END AS spent_nanos,
      coalesce(r.nanos, 0) AS reserved_nanos, s.spent_nanos AS shown_spent, s.reserved_nanos AS shown_reserved,
      s.subject, s.updated_at
    FROM budgets g
    JOIN budget_spends s ON s.budget_id = g.id
      AND split_part(s.period_key, ' ', 1) = budget_period_key(g, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'), NULL)
    LEFT JOIN reserved r ON r.budget_id = s.budget_id AND r.period_key = s.period_key
    WHERE g.enabled AND g.period <> 'session'
  )
  SELECT organization_id, budget_id, period_key, spent_nanos, reserved_nanos, subject, updated_at
  FROM booked
  WHERE spent_nanos <> shown_spent OR reserved_nanos <> shown_reserved;
