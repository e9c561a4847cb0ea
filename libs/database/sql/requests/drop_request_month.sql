-- Drops the oldest partition that ends at a time or before, unless something in it is open, or calls came into it after that time (and the
-- day that the note of its last calls may take): then the next one. Null: none is left.
--
-- A time that is less than a whole month before the current one is an error: whoever asks has a wrong clock.
--
-- Locks, in this order: request_records against another of these (SHARE UPDATE EXCLUSIVE), then against all, from the moment
-- that nobody uses it until the commit, some milliseconds; where none comes within 200 ms, that is an error, and nothing is changed.
CREATE OR REPLACE FUNCTION drop_request_month(before timestamptz) RETURNS text LANGUAGE plpgsql SET lock_timeout = '10s' AS $$
DECLARE
  latest timestamptz := (date_trunc('month', now() AT TIME ZONE 'UTC') - interval '1 month') AT TIME ZONE 'UTC';
  old regclass;
  name text;
BEGIN
  IF before > latest THEN
    RAISE EXCEPTION 'calls from before % are not dropped yet: here it is %, and the last whole month is kept', before, now()
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  LOCK TABLE ONLY request_records IN SHARE UPDATE EXCLUSIVE MODE;
  PERFORM note_request_arrivals();
  FOR old IN
    SELECT m.partition FROM request_months m JOIN request_month_arrivals a ON a.partition = m.partition::text
    WHERE m.to_id <= request_id_at(before) AND a.arrived_at < before + interval '1 day'
    ORDER BY m.to_id
  LOOP
    CONTINUE WHEN has_open_requests(old);
    name := old;
    SET LOCAL lock_timeout = '200ms';
    LOCK TABLE ONLY request_records IN ACCESS EXCLUSIVE MODE;
    -- Nobody opens a call of the past, but nobody can now.
    CONTINUE WHEN has_open_requests(old);
    EXECUTE format('DROP TABLE %s', name);
    DELETE FROM request_month_arrivals a WHERE a.partition = name;
    RETURN name;
  END LOOP;
  RETURN NULL;
END
$$;
