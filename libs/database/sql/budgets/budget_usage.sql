-- What the budget's scope has used in a day or month. A session is known by its own row only.
CREATE OR REPLACE FUNCTION budget_usage(budget budgets, period_key text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(u.customer_nanos), 0)::bigint
  FROM usage_days u
  WHERE u.organization_id = budget.organization_id
    AND CASE budget.scope
      WHEN 'project' THEN u.project_id = budget.scope_id
      WHEN 'api_key' THEN u.api_key_id = budget.scope_id
      ELSE true END
    AND CASE budget.period
      WHEN 'day' THEN u.day = period_key::date
      WHEN 'month' THEN u.day >= (period_key || '-01')::date
        AND u.day < (period_key || '-01')::date + interval '1 month'
      ELSE false END
$$;
