-- The amount in force now: that of the override until it ends.
CREATE OR REPLACE FUNCTION budget_amount(budget budgets) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN now() < budget.override_until THEN budget.override_amount_nanos ELSE budget.amount_nanos END
$$;
