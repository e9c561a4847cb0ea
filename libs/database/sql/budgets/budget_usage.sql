-- The spend that a budget counts of its scope in a day, week, month or quarter: payments of the wallet and of own accounts, without what
-- exceeded a hold. Of a * the key names whose use is meant, after a space. A session is known by its own row only, and an end user who is
-- not named in the usage of a day by theirs.
CREATE OR REPLACE FUNCTION budget_usage(budget budgets, period_key text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  days record := budget_days(budget.period, split_part(period_key, ' ', 1));
  subject text := CASE budget.scope_id WHEN '*' THEN substr(period_key, strpos(period_key, ' ') + 1) ELSE budget.scope_id END;
  used bigint;
BEGIN
  IF budget.scope = 'end_user' THEN
    SELECT sum(u.customer_nanos + u.provider_nanos - u.uncounted_nanos) INTO used
    FROM usage_end_users u
    WHERE u.organization_id = budget.organization_id AND u.end_user_id = subject
      AND u.day >= days.first_day AND u.day < days.end_day AND budget.project_id IN ('', u.project_id);
  ELSE
    SELECT sum(u.customer_nanos + u.provider_nanos - u.uncounted_nanos) INTO used
    FROM usage_days u
    WHERE u.organization_id = budget.organization_id AND u.day >= days.first_day AND u.day < days.end_day
      AND budget.project_id IN ('', u.project_id)
      AND CASE budget.scope
        WHEN 'project' THEN u.project_id = subject
        WHEN 'api_key' THEN u.api_key_id = subject
        WHEN 'member' THEN u.api_key_id IN (
          SELECT k.id FROM api_keys k WHERE k.organization_id = budget.organization_id AND k.member_id = subject)
        WHEN 'model' THEN u.model = subject
        ELSE true END;
  END IF;
  RETURN coalesce(used, 0);
END
$$;
