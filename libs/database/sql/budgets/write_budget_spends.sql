-- Writes the periods of budgets in which calls held something, and those that refused their first call.
-- Spends: their rows as they were. Consumed: what was spent of each, and is reserved now.
CREATE OR REPLACE FUNCTION write_budget_spends(spends budget_spends[], consumed bigint[], grown boolean[], refusing boolean[])
RETURNS void LANGUAGE sql AS $$
  INSERT INTO budget_spends AS s (budget_id, period_key, subject, spent_nanos, reserved_nanos, refused_at)
  SELECT spends[at].budget_id, spends[at].period_key, spends[at].subject, spends[at].spent_nanos, consumed[at] - spends[at].spent_nanos,
    CASE WHEN refusing[at] THEN now() END
  FROM generate_subscripts(spends, 1) AS at
  WHERE grown[at] OR refusing[at] AND spends[at].refused_at IS NULL
  ON CONFLICT (budget_id, period_key) DO UPDATE SET reserved_nanos = excluded.reserved_nanos,
    refused_at = coalesce(s.refused_at, excluded.refused_at), review_due = true, updated_at = now()
$$;
