-- The time that stands for all times of a bound of a histogram, in milliseconds: their geometric middle.
CREATE OR REPLACE FUNCTION histogram_bound_ms(bound integer)
RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE bound WHEN 0 THEN 1 ELSE round(power(600000::double precision, (bound - 0.5) / 63)::numeric, 2)::double precision END
$$;
