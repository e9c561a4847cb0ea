-- Counts of refused calls (docs/decisions/0028). Instant: both tables are new.

-- Calls that were refused before a provider was called, by the hour.
CREATE TABLE refusals (
  organization_id TEXT NOT NULL,
  hour TIMESTAMPTZ(0) NOT NULL,
  project_id TEXT NOT NULL,
  api_key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  code TEXT NOT NULL,
  http_status SMALLINT NOT NULL,
  refused_count BIGINT NOT NULL,
  last_at TIMESTAMPTZ(3) NOT NULL,
  last_message TEXT NOT NULL,
  CONSTRAINT refusals_pkey PRIMARY KEY (organization_id, hour, project_id, api_key_id, model, code)
);
CREATE INDEX refusals_hour_idx ON refusals (hour);

-- The last batch that each edge added to them.
CREATE TABLE refusal_batches (
  writer_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  written_at TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT refusal_batches_pkey PRIMARY KEY (writer_id)
);
