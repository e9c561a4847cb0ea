-- How many milliseconds a guess must wait: 0 when there are fewer failures than a burst, of the network and of the pair.
CREATE OR REPLACE FUNCTION guess_wait_ms(network bytea, network_burst integer, network_forget_ms integer,
  pair bytea, pair_burst integer, pair_forget_ms integer) RETURNS double precision LANGUAGE sql AS $$
  SELECT greatest(0, guess_rest_ms(network, network_burst, network_forget_ms) - (network_burst - 1) * network_forget_ms,
    guess_rest_ms(pair, pair_burst, pair_forget_ms) - (pair_burst - 1) * pair_forget_ms)
$$;
