-- Whether the database has taken writes for the length of a lease without a gap, until now: whoever lives has renewed.
CREATE OR REPLACE FUNCTION leases_are_proof() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM database_heartbeat b
    WHERE b.beaten_at > clock_timestamp() - interval '10 s' AND b.writable_since < clock_timestamp() - interval '30 s')
$$;
