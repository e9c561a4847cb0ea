-- Training files (docs/decisions/0046). Instant: the table is new.

CREATE TABLE training_files (
  id TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  project_id TEXT,
  filename TEXT NOT NULL,
  bytes BIGINT NOT NULL DEFAULT 0,
  line_count INTEGER NOT NULL DEFAULT 0,
  token_count BIGINT NOT NULL DEFAULT 0,
  state TEXT NOT NULL DEFAULT 'uploading',
  part_bytes INTEGER NOT NULL,
  key_ciphertext BYTEA NOT NULL,
  creator_type TEXT NOT NULL,
  creator_id TEXT NOT NULL,
  upload_until TIMESTAMPTZ(3),
  kept_seconds INTEGER,
  last_used_at TIMESTAMPTZ(3),
  expires_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  deleted_at TIMESTAMPTZ(3),
  CONSTRAINT training_files_pkey PRIMARY KEY (id),
  CONSTRAINT training_files_state_check CHECK (state IN ('uploading', 'processed')),
  CONSTRAINT training_files_upload_check CHECK ((state = 'uploading') = (upload_until IS NOT NULL)),
  CONSTRAINT training_files_expires_check CHECK (state = 'uploading' OR expires_at IS NOT NULL)
);
CREATE INDEX training_files_organization_id_id_idx ON training_files (organization_id, id DESC);
-- What workers look for, each a few rows of all that are kept.
CREATE INDEX training_files_upload_until_idx ON training_files (upload_until) WHERE state = 'uploading';
CREATE INDEX training_files_expires_at_idx ON training_files (expires_at) WHERE deleted_at IS NULL;
CREATE INDEX training_files_deleted_idx ON training_files (id) WHERE deleted_at IS NOT NULL;
