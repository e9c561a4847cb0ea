-- Alert rules read percentiles without a call for each of them. Instant: functions only.

-- The time that stands for all times of a bound of a histogram, in milliseconds: their geometric middle.
CREATE OR REPLACE FUNCTION histogram_bound_ms(bound integer)
RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE bound WHEN 0 THEN 1 ELSE round(power(600000::double precision, (bound - 0.5) / 63)::numeric, 1)::double precision END
$$;

-- A percentile of times, in milliseconds, by nearest rank; null without any. Of each pair (bound, count), `count` times were up to bound
-- number `bound` and above the one before. A bound may come several times. `percentileOf` of `inference` is the model: the bounds are
-- there, and a property test compares the two.
CREATE OR REPLACE FUNCTION histogram_percentile(bounds smallint[], counts bigint[], share double precision)
RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT histogram_bound_ms(b.bound)
  FROM (
    SELECT h.bound, sum(sum(h.count)) OVER (ORDER BY h.bound) AS up_to, sum(sum(h.count)) OVER () AS total
    FROM unnest(bounds, counts) AS h (bound, count)
    GROUP BY h.bound
  ) b
  WHERE b.up_to > 0 AND b.up_to >= ceil(share * b.total::double precision)
  ORDER BY b.bound LIMIT 1
$$;
