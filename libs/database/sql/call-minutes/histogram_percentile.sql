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
