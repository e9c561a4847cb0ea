-- Settlements and holds in one transaction. Both lock the wallets they change: apart, those of one organization waited for
-- each other's commits. The settlements come first, so that what they free can be held again. Rows in the order of the
-- settlements, then of the holds.
CREATE OR REPLACE FUNCTION book_calls(settlements jsonb, holds jsonb) RETURNS TABLE (
  settled boolean, held_nanos bigint, refused_budget_id text, refused_budget_name text, warning_bps numeric)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  -- All of them at once and in one order: two of these must not each hold what the other waits for.
  PERFORM 1 FROM wallets w
  WHERE w.organization_id = ANY (ARRAY(
    SELECT b.organization_id FROM jsonb_to_recordset(settlements || holds) AS b (organization_id text)))
  ORDER BY w.organization_id FOR UPDATE;

  RETURN QUERY
  SELECT s.settled, NULL::bigint, NULL::text, NULL::text, NULL::numeric FROM settle_requests(settlements) s;

  RETURN QUERY
  SELECT NULL::boolean, h.held_nanos, h.refused_budget_id, h.refused_budget_name, h.warning_bps FROM open_holds(holds) h;
END
$$;

-- For the version before, which runs beside this one and knows one part of a hold.
CREATE OR REPLACE FUNCTION book_calls(settlements jsonb, holds jsonb, organizations text[], waits boolean) RETURNS TABLE (
  settled boolean, held_nanos bigint, refused_budget_id text, refused_budget_name text, warning_bps numeric)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  PERFORM lock_wallets(organizations, waits);
  IF settlements IS NOT NULL THEN
    RETURN QUERY
    SELECT s.settled, NULL::bigint, NULL::text, NULL::text, NULL::numeric FROM settle_calls(settlements) s;
  END IF;
  IF holds IS NOT NULL THEN
    RETURN QUERY
    SELECT NULL::boolean, h.held_nanos, h.refused_budget_id, h.refused_budget_name, h.warning_bps FROM open_holds(holds) h;
  END IF;
END
$$;
