-- Consumption in basis points, rounded down. A budget of nothing is consumed whole.
CREATE OR REPLACE FUNCTION budget_bps(consumed numeric, amount bigint) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE amount WHEN 0 THEN 10000 ELSE div(consumed * 10000, amount) END
$$;
