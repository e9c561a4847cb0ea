-- The request log by months, 1 of 3 (docs/decisions/0013): until when the table of today goes. Of this month, or of the next one
-- where that begins within a week: from its end on, this check would refuse calls, should the other two steps not have run.

-- The first id that can be made at a time (libs/kernel ids): ids sort by their time.
CREATE FUNCTION request_id_at(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 'req_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> 5 * place & 31)::int + 1, 1), '' ORDER BY place DESC)
    || repeat('0', 16)
  FROM (SELECT floor(extract(epoch FROM at) * 1000)::bigint) AS made (ms), generate_series(0, 9) AS place
$$;

-- contract: it adds one CHECK, NOT VALID, and must be a block because the bound depends on the month. Adding it locks the table for a moment;
-- while something reads the table for longer (a dump, say), it tries again and again, so that calls wait for half a second at most.
DO $$
BEGIN
  -- Pairs, because in some languages a pair of letters is sorted as one (aa in Danish, ch in Czech).
  IF (SELECT array_agg(id ORDER BY id) <> array_agg(id ORDER BY id COLLATE "C")
      FROM (SELECT 'req_' || one || other FROM unnest(string_to_array('0123456789abcdefghjkmnpqrstvwxyz', NULL)) AS one,
        unnest(string_to_array('0123456789abcdefghjkmnpqrstvwxyz', NULL)) AS other) AS ids (id)) THEN
    RAISE EXCEPTION 'the collation of this database does not sort ids by their time: restore it into one with LOCALE ''C'' or ''en_US.UTF-8''';
  END IF;
  LOOP
    BEGIN
      SET LOCAL lock_timeout = '500ms';
      EXECUTE format('ALTER TABLE request_records ADD CONSTRAINT request_records_before_months CHECK (id < %L) NOT VALID',
        request_id_at((date_trunc('month', (now() + interval '7 days') AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC'));
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      PERFORM pg_sleep(2);
    END;
  END LOOP;
END
$$;
