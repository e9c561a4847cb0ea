-- Failed guesses at secrets, counted for all processes of auth together, by the database's clock.

-- Of a network, or of a network and what it guesses at: when the last failure will be forgotten. Lost in a crash, and missed by nobody.
CREATE UNLOGGED TABLE failed_guesses (
  -- SHA-256: who tried what is nobody's business.
  guesser bytea PRIMARY KEY,
  clear_at timestamptz NOT NULL
);
CREATE INDEX failed_guesses_clear_at_idx ON failed_guesses (clear_at);

-- Milliseconds until all failures of a guesser are forgotten: no more than of a full burst, so that a clock that was set back locks nobody out.
CREATE FUNCTION guess_rest_ms(of_guesser bytea, burst integer, forget_ms integer) RETURNS double precision LANGUAGE sql AS $$
  SELECT coalesce(max(least(greatest(extract(epoch FROM clear_at - clock_timestamp()) * 1000, 0), burst * forget_ms)), 0)
  FROM failed_guesses WHERE guesser = of_guesser
$$;

-- How many milliseconds a guess must wait: 0 when there are fewer failures than a burst, of the network and of the pair.
CREATE FUNCTION guess_wait_ms(network bytea, network_burst integer, network_forget_ms integer,
  pair bytea, pair_burst integer, pair_forget_ms integer) RETURNS double precision LANGUAGE sql AS $$
  SELECT greatest(0, guess_rest_ms(network, network_burst, network_forget_ms) - (network_burst - 1) * network_forget_ms,
    guess_rest_ms(pair, pair_burst, pair_forget_ms) - (pair_burst - 1) * pair_forget_ms)
$$;

-- Counts a guess as failed, for both or for neither: 0. Where it must wait instead, as guess_wait_ms.
--
-- Locks: the row of the network, then that of the pair. A guess that must wait reads only, so that a flood of them writes nothing.
CREATE FUNCTION begin_guess(network bytea, network_burst integer, network_forget_ms integer,
  pair bytea, pair_burst integer, pair_forget_ms integer) RETURNS double precision LANGUAGE plpgsql AS $$
DECLARE
  wait_ms double precision := guess_wait_ms(network, network_burst, network_forget_ms, pair, pair_burst, pair_forget_ms);
BEGIN
  IF wait_ms > 0 THEN RETURN wait_ms; END IF;
  INSERT INTO failed_guesses AS g VALUES (network, clock_timestamp()), (pair, clock_timestamp())
    ON CONFLICT (guesser) DO UPDATE SET clear_at = g.clear_at;
  -- Others were counted while this one waited for its locks.
  wait_ms := guess_wait_ms(network, network_burst, network_forget_ms, pair, pair_burst, pair_forget_ms);
  IF wait_ms > 0 THEN RETURN wait_ms; END IF;
  UPDATE failed_guesses SET clear_at = clock_timestamp()
    + (guess_rest_ms(network, network_burst, network_forget_ms) + network_forget_ms) * interval '1 ms' WHERE guesser = network;
  UPDATE failed_guesses SET clear_at = clock_timestamp()
    + (guess_rest_ms(pair, pair_burst, pair_forget_ms) + pair_forget_ms) * interval '1 ms' WHERE guesser = pair;
  RETURN 0;
END
$$;

-- A guess that was counted has succeeded: its network is given back one failure, and the pair has none any more. Locks as begin_guess.
CREATE FUNCTION forgive_guess(network bytea, network_burst integer, network_forget_ms integer, pair bytea) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE failed_guesses SET clear_at = clock_timestamp()
    + (guess_rest_ms(network, network_burst, network_forget_ms) - network_forget_ms) * interval '1 ms' WHERE guesser = network;
  DELETE FROM failed_guesses WHERE guesser = pair;
END
$$;
