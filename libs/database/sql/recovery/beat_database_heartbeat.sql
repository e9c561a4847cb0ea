-- A beat. Two that are ten seconds apart leave a gap: a lease of 30 s that is renewed every 10 s outlives a shorter one.
CREATE OR REPLACE FUNCTION beat_database_heartbeat() RETURNS void LANGUAGE sql AS $$
  INSERT INTO database_heartbeat AS b (id, writable_since, beaten_at) VALUES (1, clock_timestamp(), clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET
    writable_since = CASE WHEN b.beaten_at < clock_timestamp() - interval '10 s' THEN clock_timestamp() ELSE b.writable_since END,
    beaten_at = clock_timestamp()
$$;
