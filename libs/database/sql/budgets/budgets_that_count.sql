-- The enabled budgets that count a call, by their ids, each with the amount in force; beside each of a * whose amount it is, else null.
-- Reads only those that can count it. A budget that names one takes the place of the * of the same scope, period and project. One for
-- sessions counts no call without a session.
CREATE OR REPLACE FUNCTION budgets_that_count(organization text, project text, api_key text, end_user text, model text, session text,
  OUT counting budgets[], OUT subjects text[]) LANGUAGE plpgsql STABLE AS $$
DECLARE
  member text;
BEGIN
  -- Few organizations have one, and the others need not look up the key.
  IF EXISTS (SELECT FROM budgets g WHERE g.organization_id = organization AND g.scope = 'member' AND g.enabled) THEN
    SELECT k.member_id INTO member FROM api_keys k WHERE k.id = api_key AND k.organization_id = organization;
  END IF;
  counting := ARRAY(
    SELECT g
    FROM budgets g, budget_subject(g.scope, organization, project, api_key, end_user, member, model) AS subject
    WHERE g.organization_id = organization AND g.enabled
      -- Null equals nothing: what the call does not have is not looked for.
      AND g.scope_id = ANY (ARRAY[organization, '*', project, api_key, end_user, member, model])
      AND g.project_id = ANY (ARRAY['', project])
      AND subject IS NOT NULL AND g.scope_id IN (subject, '*')
      AND (g.period <> 'session' OR session IS NOT NULL)
    ORDER BY g.id);
  IF EXISTS (SELECT FROM unnest(counting) g WHERE g.scope_id = '*') THEN
    counting := ARRAY(
      SELECT g FROM unnest(counting) g
      WHERE g.scope_id <> '*' OR NOT EXISTS (
        SELECT FROM unnest(counting) named
        WHERE named.scope_id <> '*' AND named.scope = g.scope AND named.period = g.period AND named.project_id = g.project_id)
      ORDER BY g.id);
  END IF;
  subjects := array_fill(NULL::text, ARRAY[cardinality(counting)]);
  FOR at IN 1 .. cardinality(counting) LOOP
    IF counting[at].scope_id = '*' THEN
      subjects[at] := budget_subject(counting[at].scope, organization, project, api_key, end_user, member, model);
    END IF;
    IF counting[at].override_until IS NOT NULL THEN
      counting[at].amount_nanos := budget_amount(counting[at]);
    END IF;
  END LOOP;
END
$$;
