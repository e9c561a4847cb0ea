-- The amount that a call may hold: as much of its range as the wallet and every blocking budget that counts it can pay. Less than its minimum
-- refuses it, by the budget with the least left, or else by the wallet (held and refused_by are null). Warning: the projected consumption of
-- the most consumed budget, once it reaches that budget's threshold. A refused call is projected with its minimum.
--
-- Counting: where the budgets that count the call are in the arrays, by their ids. Consumed: spent, and reserved by calls in flight.
CREATE OR REPLACE FUNCTION evaluate_budgets(counting int[], budgets budgets[], consumed bigint[], hold_min bigint, hold_max bigint,
  available bigint, OUT held bigint, OUT refused_by int, OUT warning_bps numeric) LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  at int;
  budget budgets;
  ceiling bigint := hold_max;
  tightest int;
  projected numeric;
  warn_at int;
BEGIN
  FOREACH at IN ARRAY counting LOOP
    budget := budgets[at];
    IF budget.action = 'block' AND budget.amount_nanos - consumed[at] < ceiling THEN
      ceiling := budget.amount_nanos - consumed[at];
      tightest := at;
    END IF;
  END LOOP;
  IF ceiling < hold_min THEN
    refused_by := tightest;
  ELSIF available >= hold_min THEN
    held := least(ceiling, available);
  END IF;

  FOREACH at IN ARRAY counting LOOP
    budget := budgets[at];
    projected := budget_bps(consumed[at]::numeric + coalesce(held, hold_min), budget.amount_nanos);
    IF warning_bps IS NULL OR projected > warning_bps OR projected = warning_bps AND budget.warn_at_bps < warn_at THEN
      warning_bps := projected;
      warn_at := budget.warn_at_bps;
    END IF;
  END LOOP;
  IF warning_bps < warn_at THEN
    warning_bps := NULL;
  END IF;
END
$$;
