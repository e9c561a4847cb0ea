-- Settlements and holds in one transaction, under the locks of their wallets. The settlements come first, so that what they free can be
-- held again. Rows in the order of the settlements, then of the holds; either may be null. Organizations: of all of them, each once.
CREATE OR REPLACE FUNCTION book_calls(settlements jsonb, holds jsonb, waits boolean, organizations text[]) RETURNS TABLE (
  settled boolean, held_nanos bigint, budget_held_nanos bigint, refused_budget_id text, refused_budget_name text, warning_bps numeric)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  -- Holds do not wait for the disk: their edge opens those again that a crash loses (docs/decisions/0069).
  IF settlements IS NULL THEN
    PERFORM set_config('synchronous_commit', 'off', true);
  END IF;
  PERFORM lock_wallets(organizations, waits);
  IF settlements IS NOT NULL THEN
    RETURN QUERY
    SELECT s.settled, NULL::bigint, NULL::bigint, NULL::text, NULL::text, NULL::numeric FROM settle_calls(settlements) s;
  END IF;
  IF holds IS NOT NULL THEN
    RETURN QUERY
    SELECT NULL::boolean, h.held_nanos, h.budget_held_nanos, h.refused_budget_id, h.refused_budget_name, h.warning_bps FROM open_hold_parts(holds) h;
  END IF;
END
$$;
