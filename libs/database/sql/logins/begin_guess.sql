-- Counts a guess as failed, for both or for neither: 0. Where it must wait instead, as guess_wait_ms.
--
-- Locks: the row of the network, then that of the pair. A guess that must wait reads only, so that a flood of them writes nothing.
CREATE OR REPLACE FUNCTION begin_guess(network bytea, network_burst integer, network_forget_ms integer,
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
