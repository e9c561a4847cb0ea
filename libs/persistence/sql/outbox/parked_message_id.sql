-- The id of a parked message, by which the operator's API names it: made of what names its row already, so that each row
-- has one, also a row that the version before writes. As other ids: ten letters of its time, sixteen more.
CREATE OR REPLACE FUNCTION parked_message_id(parked_at timestamptz, consumer text, topic text, partition int, "offset" bigint)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 'pkm_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits FROM 5 * place + 1 FOR 5)::int + 1, 1), '' ORDER BY place)
  FROM (SELECT floor(extract(epoch FROM parked_at) * 1000)::bigint::bit(50)
    || ('x' || substr(md5(concat_ws(' ', consumer, topic, partition::text, "offset"::text)), 1, 20))::bit(80)
  ) AS named (bits), generate_series(0, 25) AS place
$$;
