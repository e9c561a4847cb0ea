-- Milliseconds until all failures of a guesser are forgotten: no more than of a full burst, so that a clock that was set back locks nobody out.
CREATE OR REPLACE FUNCTION guess_rest_ms(of_guesser bytea, burst integer, forget_ms integer) RETURNS double precision LANGUAGE sql AS $$
  SELECT coalesce(max(least(greatest(extract(epoch FROM clear_at - clock_timestamp()) * 1000, 0), burst * forget_ms)), 0)
  FROM failed_guesses WHERE guesser = of_guesser
$$;
