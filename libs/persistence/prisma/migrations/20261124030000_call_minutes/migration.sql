-- Calls by the minute (docs/decisions/0032). Instant: the table is new.

-- What edges add up of the calls that end with them.
CREATE TABLE call_minutes (
  organization_id TEXT NOT NULL,
  minute TIMESTAMPTZ(0) NOT NULL,
  project_id TEXT NOT NULL,
  api_key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  provider TEXT NOT NULL,
  writer_id UUID NOT NULL,
  calls INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  cancelled INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  input_tokens BIGINT NOT NULL,
  cached_input_tokens BIGINT NOT NULL,
  cache_write_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  reasoning_tokens BIGINT NOT NULL,
  spent_nanos BIGINT NOT NULL,
  duration_bounds SMALLINT[] NOT NULL,
  duration_counts INTEGER[] NOT NULL,
  ttft_bounds SMALLINT[] NOT NULL,
  ttft_counts INTEGER[] NOT NULL,
  CONSTRAINT call_minutes_pkey PRIMARY KEY (organization_id, minute, project_id, api_key_id, model, provider, writer_id)
);
-- A row is written up to twelve times while its minute lasts: room for that on its page, so that no index is touched.
ALTER TABLE call_minutes SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX call_minutes_minute_idx ON call_minutes (minute);
CREATE INDEX call_minutes_model_minute_organization_id_idx ON call_minutes (model, minute, organization_id);
CREATE INDEX call_minutes_provider_minute_organization_id_idx ON call_minutes (provider, minute, organization_id);

-- A percentile of times, in milliseconds, by nearest rank; null without any. Of each pair (bound, count), `count` times were up to bound
-- number `bound` and above the one before. A bound may come several times. `percentileOf` of `inference` is the model: the bounds are
-- there, and a property test compares the two.
CREATE OR REPLACE FUNCTION histogram_percentile(bounds smallint[], counts bigint[], share double precision)
RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE b.bound WHEN 0 THEN 1 ELSE round(power(600000::double precision, (b.bound - 0.5) / 63)::numeric, 1)::double precision END
  FROM (
    SELECT h.bound, sum(sum(h.count)) OVER (ORDER BY h.bound) AS up_to, sum(sum(h.count)) OVER () AS total
    FROM unnest(bounds, counts) AS h (bound, count)
    GROUP BY h.bound
  ) b
  WHERE b.up_to > 0 AND b.up_to >= ceil(share * b.total::double precision)
  ORDER BY b.bound LIMIT 1
$$;
