-- A guess that was counted has succeeded: its network is given back one failure, and the pair has none any more. Locks as begin_guess.
CREATE OR REPLACE FUNCTION forgive_guess(network bytea, network_burst integer, network_forget_ms integer, pair bytea) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE failed_guesses SET clear_at = clock_timestamp()
    + (guess_rest_ms(network, network_burst, network_forget_ms) - network_forget_ms) * interval '1 ms' WHERE guesser = network;
  DELETE FROM failed_guesses WHERE guesser = pair;
END
$$;
