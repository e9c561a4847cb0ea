-- Mails to members, which the dispatcher sends (docs/decisions/0033). Instant: the table is new.

CREATE TABLE mails (
  id UUID NOT NULL,
  organization_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  alert_id TEXT,
  alert_rule_id TEXT,
  status TEXT NOT NULL DEFAULT 'queued',
  error TEXT,
  tries SMALLINT NOT NULL DEFAULT 0,
  due_at TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  lease_id UUID,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT mails_pkey PRIMARY KEY (id),
  CONSTRAINT mails_status_check CHECK (status IN ('queued', 'sent', 'failed', 'skipped')),
  -- What has ended is not due, and the other way round.
  CONSTRAINT mails_due_at_check CHECK ((status = 'queued') = (due_at IS NOT NULL))
);
CREATE INDEX mails_due_at_idx ON mails (due_at);
CREATE INDEX mails_alert_id_idx ON mails (alert_id);
CREATE INDEX mails_alert_rule_id_member_id_created_at_idx ON mails (alert_rule_id, member_id, created_at);
CREATE INDEX mails_created_at_idx ON mails (created_at);
