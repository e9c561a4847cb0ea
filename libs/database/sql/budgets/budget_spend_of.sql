-- The row of a budget's period; where there is none yet, the one it would begin with. Subject: whose it is, of a *.
CREATE OR REPLACE FUNCTION budget_spend_of(budget budgets, period text, subject text) RETURNS budget_spends LANGUAGE plpgsql AS $$
DECLARE
  spend budget_spends;
BEGIN
  SELECT * INTO spend FROM budget_spends s WHERE s.budget_id = budget.id AND s.period_key = period;
  IF NOT FOUND THEN
    spend.budget_id := budget.id;
    spend.period_key := period;
    spend.subject := subject;
    spend.spent_nanos := budget_usage(budget, period);
    spend.reserved_nanos := 0;
    spend.updated_at := now();
  END IF;
  RETURN spend;
END
$$;
