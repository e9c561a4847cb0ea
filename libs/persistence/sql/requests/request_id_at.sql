-- The first id that can be made at a time (libs/kernel ids): ids sort by their time.
CREATE OR REPLACE FUNCTION request_id_at(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 'req_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> 5 * place & 31)::int + 1, 1), '' ORDER BY place DESC)
    || repeat('0', 16)
  FROM (SELECT floor(extract(epoch FROM at) * 1000)::bigint) AS made (ms), generate_series(0, 9) AS place
$$;
