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
