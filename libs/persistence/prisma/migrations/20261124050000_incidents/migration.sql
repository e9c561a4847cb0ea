-- Incidents (docs/decisions/0034). Instant: all tables are new.

CREATE TABLE incidents (
  id TEXT NOT NULL,
  title TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('investigating', 'identified', 'monitoring', 'resolved')),
  severity TEXT NOT NULL CHECK (severity IN ('minor', 'major', 'critical')),
  components TEXT[],
  providers TEXT[],
  models TEXT[],
  source TEXT NOT NULL CHECK (source IN ('operator', 'automatic')),
  audience TEXT NOT NULL CHECK (audience IN ('all', 'affected', 'organizations')),
  organization_ids TEXT[],
  subject_kind TEXT CHECK (subject_kind IN ('model', 'provider')),
  subject_name TEXT,
  managed BOOLEAN NOT NULL DEFAULT false,
  started_at TIMESTAMPTZ(3) NOT NULL,
  resolved_at TIMESTAMPTZ(3),
  quiet_since TIMESTAMPTZ(3),
  update_count INTEGER NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  told_count INTEGER NOT NULL DEFAULT 0,
  organization_count INTEGER NOT NULL DEFAULT 0,
  cursor TEXT NOT NULL DEFAULT '',
  look_started_at TIMESTAMPTZ(3),
  looked_until TIMESTAMPTZ(3),
  told_at TIMESTAMPTZ(3),
  due_at TIMESTAMPTZ(3),
  lease_until TIMESTAMPTZ(3),
  fence BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT incidents_pkey PRIMARY KEY (id),
  CHECK ((state = 'resolved') = (resolved_at IS NOT NULL)),
  CHECK ((source = 'automatic') = (subject_kind IS NOT NULL)),
  CHECK ((subject_kind IS NULL) = (subject_name IS NULL)),
  CHECK (told_count <= update_count)
);
-- What the workers have to do.
CREATE INDEX incidents_due ON incidents (due_at) WHERE due_at IS NOT NULL;
-- One open automatic incident a subject.
CREATE UNIQUE INDEX incidents_open_subject ON incidents (subject_kind, subject_name)
  WHERE subject_kind IS NOT NULL AND state <> 'resolved';

CREATE TABLE incident_updates (
  incident_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  at TIMESTAMPTZ(3) NOT NULL,
  state TEXT NOT NULL,
  severity TEXT NOT NULL,
  components TEXT[],
  providers TEXT[],
  models TEXT[],
  message TEXT NOT NULL,
  CONSTRAINT incident_updates_pkey PRIMARY KEY (incident_id, number),
  CONSTRAINT incident_updates_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents (id) ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE incident_organizations (
  incident_id TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  affected_since TIMESTAMPTZ(3) NOT NULL,
  told_count INTEGER NOT NULL,
  CONSTRAINT incident_organizations_pkey PRIMARY KEY (incident_id, organization_id),
  CONSTRAINT incident_organizations_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX incident_organizations_organization_id_incident_id_idx ON incident_organizations (organization_id, incident_id);

-- One row: whoever has locked it judges the circuits.
CREATE TABLE incident_watch (
  id SMALLINT NOT NULL,
  checked_at TIMESTAMPTZ(3),
  CONSTRAINT incident_watch_pkey PRIMARY KEY (id)
);
INSERT INTO incident_watch (id) VALUES (1);
