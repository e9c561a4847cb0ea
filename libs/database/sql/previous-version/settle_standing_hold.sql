-- For the version before, which runs beside this one and settles at catalog prices alone.
CREATE OR REPLACE FUNCTION settle_standing_hold(hold_id text, cost_nanos bigint, charge_id text, overrun_id text) RETURNS bigint
LANGUAGE sql AS $$
  SELECT settle_standing_hold(hold_id, cost_nanos, 0::bigint, charge_id, overrun_id)
$$;
