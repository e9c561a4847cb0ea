-- Makes the partition of the month (UTC) in which a time lies, unless there is one: false. Calls of that month that are in the default
-- partition move, up to moved_max: for as long all calls wait. More of them are an error, and stay where they are.
--
-- Locks, in this order: request_records against another of these (SHARE UPDATE EXCLUSIVE, calls go on), then the default partition
-- against all, from the moment that nobody uses it; where none comes within 200 ms, that is an error, and nothing is changed.
CREATE OR REPLACE FUNCTION make_request_month(at timestamptz, moved_max bigint DEFAULT 100000) RETURNS boolean
LANGUAGE plpgsql SET lock_timeout = '10s' AS $$
DECLARE
  month timestamp := date_trunc('month', at AT TIME ZONE 'UTC');
  month_from text := request_id_at(month AT TIME ZONE 'UTC');
  month_to text := request_id_at((month + interval '1 month') AT TIME ZONE 'UTC');
  name text := to_char(month, '"request_records_"YYYY"_"MM');
BEGIN
  LOCK TABLE ONLY request_records IN SHARE UPDATE EXCLUSIVE MODE;
  IF EXISTS (SELECT FROM request_months m WHERE m.to_id > month_from AND (m.from_id IS NULL OR m.from_id < month_to)) THEN
    RETURN false;
  END IF;
  IF (SELECT count(*) FROM (SELECT FROM request_records_default d WHERE d.id >= month_from AND d.id < month_to
      LIMIT moved_max + 1) AS counted) > moved_max THEN
    RAISE EXCEPTION 'request_records_default holds more than % calls of %: docs/operate.md says how to move them',
      moved_max, to_char(month, 'YYYY-MM') USING ERRCODE = 'program_limit_exceeded';
  END IF;
  EXECUTE format('CREATE TABLE %I (LIKE request_records INCLUDING ALL)', name);
  SET LOCAL lock_timeout = '200ms';
  LOCK TABLE request_records_default IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('WITH moved AS (DELETE FROM request_records_default WHERE id >= %L AND id < %L RETURNING *)
    INSERT INTO %I SELECT * FROM moved', month_from, month_to, name);
  EXECUTE format('ALTER TABLE request_records ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, month_from, month_to);
  RETURN true;
END
$$;
