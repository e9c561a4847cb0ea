-- Calls by the hour, summed up from those by the minute (docs/decisions/0031). Instant: the tables are new.

CREATE TABLE call_hours (
  organization_id TEXT NOT NULL,
  hour TIMESTAMPTZ(0) NOT NULL,
  project_id TEXT NOT NULL,
  api_key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  provider TEXT NOT NULL,
  calls BIGINT NOT NULL,
  failures BIGINT NOT NULL,
  cancelled BIGINT NOT NULL,
  input_tokens NUMERIC NOT NULL,
  cached_input_tokens NUMERIC NOT NULL,
  cache_write_tokens NUMERIC NOT NULL,
  output_tokens NUMERIC NOT NULL,
  reasoning_tokens NUMERIC NOT NULL,
  spent_nanos NUMERIC NOT NULL,
  duration_bounds SMALLINT[] NOT NULL,
  duration_counts BIGINT[] NOT NULL,
  ttft_bounds SMALLINT[] NOT NULL,
  ttft_counts BIGINT[] NOT NULL,
  CONSTRAINT call_hours_pkey PRIMARY KEY (organization_id, hour, project_id, api_key_id, model, provider)
);
CREATE INDEX call_hours_hour_idx ON call_hours (hour);

-- Hours whose minutes changed after they were summed up, if they ever were.
CREATE TABLE call_hours_due (
  organization_id TEXT NOT NULL,
  hour TIMESTAMPTZ(0) NOT NULL,
  changed_at TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT call_hours_due_pkey PRIMARY KEY (organization_id, hour)
);
ALTER TABLE call_hours_due SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- Marks the hours of minutes that are written, also by edges of the version before. The row stays locked until the minutes are
-- committed, also where nothing of it changes, and the worker sums an hour up under the same lock: so a sum never misses a minute
-- of an hour that is not marked.
CREATE FUNCTION mark_call_hours() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO call_hours_due AS due (organization_id, hour, changed_at)
  SELECT DISTINCT organization_id, date_bin('1 hour', minute, timestamptz 'epoch'), now() FROM new_rows
  ORDER BY 1, 2
  ON CONFLICT (organization_id, hour) DO UPDATE SET changed_at = excluded.changed_at
  WHERE due.changed_at < excluded.changed_at - interval '1 min';
  RETURN NULL;
END
$$;

CREATE TRIGGER mark_call_hours_of_new AFTER INSERT ON call_minutes
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION mark_call_hours();
CREATE TRIGGER mark_call_hours_of_changed AFTER UPDATE ON call_minutes
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION mark_call_hours();
