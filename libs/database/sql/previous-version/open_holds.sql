-- For the version before, which runs beside this one and knows one part of a hold.
CREATE OR REPLACE FUNCTION open_holds(batch jsonb) RETURNS TABLE (request_id text, held_nanos bigint, refused_budget_id text,
  refused_budget_name text, warning_bps numeric)
LANGUAGE sql AS $$
  SELECT h.request_id, h.held_nanos, h.refused_budget_id, h.refused_budget_name, h.warning_bps FROM open_hold_parts(batch) h
$$;
