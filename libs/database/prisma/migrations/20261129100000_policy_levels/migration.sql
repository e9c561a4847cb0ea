-- Policies of projects and keys. A table of its own: the version before reads the newest row of `policy_versions` as the
-- organization's policy.
CREATE TABLE lower_policy_versions (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  level TEXT NOT NULL CHECK (level IN ('project', 'key')),
  owner_id TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version > 0),
  document JSONB NOT NULL,
  created_by TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX lower_policy_versions_of_owner
  ON lower_policy_versions (organization_id, level, owner_id, version DESC);

ALTER TABLE request_records ADD COLUMN project_policy_version INTEGER;
ALTER TABLE request_records ADD COLUMN key_policy_version INTEGER;
