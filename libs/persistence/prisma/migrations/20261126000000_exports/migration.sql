-- Exports and the parts of their files (docs/decisions/0041). Instant: the tables are new.

CREATE TABLE exports (
  id TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  project_id TEXT,
  kind TEXT NOT NULL,
  format TEXT NOT NULL,
  compression TEXT NOT NULL,
  range_start TIMESTAMPTZ(3),
  range_end TIMESTAMPTZ(3),
  filter JSONB NOT NULL,
  columns TEXT[],
  creator_type TEXT NOT NULL,
  creator_id TEXT NOT NULL,
  creator_user_id TEXT,
  state TEXT NOT NULL DEFAULT 'queued',
  failure_code TEXT,
  row_count BIGINT NOT NULL DEFAULT 0,
  bytes BIGINT NOT NULL DEFAULT 0,
  sha256 TEXT,
  cursor TEXT,
  drained BOOLEAN NOT NULL DEFAULT false,
  upload_id TEXT,
  key_ciphertext BYTEA,
  stored BOOLEAN NOT NULL DEFAULT false,
  fruitless_claims INTEGER NOT NULL DEFAULT 0,
  fence BIGINT NOT NULL DEFAULT 0,
  lease_until TIMESTAMPTZ(3),
  due_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  counted BOOLEAN NOT NULL DEFAULT false,
  idempotency_key TEXT,
  idempotency_hash TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  started_at TIMESTAMPTZ(3),
  completed_at TIMESTAMPTZ(3),
  expires_at TIMESTAMPTZ(3),
  ended_at TIMESTAMPTZ(3),
  deleted_at TIMESTAMPTZ(3),
  CONSTRAINT exports_pkey PRIMARY KEY (id),
  CONSTRAINT exports_state_check
    CHECK (state IN ('queued', 'running', 'completed', 'failed', 'cancelled', 'expired')),
  CONSTRAINT exports_failure_check CHECK ((state = 'failed') = (failure_code IS NOT NULL)),
  CONSTRAINT exports_completed_check CHECK (state NOT IN ('completed', 'expired') OR sha256 IS NOT NULL),
  CONSTRAINT exports_ended_check CHECK ((state IN ('queued', 'running')) = (ended_at IS NULL))
);
CREATE INDEX exports_organization_id_id_idx ON exports (organization_id, id DESC);
-- One runs an organization.
CREATE UNIQUE INDEX exports_running_key ON exports (organization_id) WHERE state = 'running';
-- What workers look for, each a few rows of all that are kept.
CREATE INDEX exports_open_idx ON exports (id) WHERE state IN ('queued', 'running');
CREATE INDEX exports_expires_at_idx ON exports (expires_at) WHERE state = 'completed';
CREATE INDEX exports_leftover_idx ON exports (id)
  WHERE stored AND (state IN ('failed', 'cancelled', 'expired') OR deleted_at IS NOT NULL);
CREATE INDEX exports_uncounted_idx ON exports (id) WHERE NOT counted AND ended_at IS NOT NULL;
CREATE INDEX exports_ended_at_idx ON exports (ended_at) WHERE NOT stored;
CREATE INDEX exports_deleted_idx ON exports (id) WHERE deleted_at IS NOT NULL AND NOT stored;

CREATE TABLE export_parts (
  export_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  etag TEXT NOT NULL,
  stored_bytes INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  CONSTRAINT export_parts_pkey PRIMARY KEY (export_id, number),
  CONSTRAINT export_parts_export_id_fkey FOREIGN KEY (export_id) REFERENCES exports (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);
