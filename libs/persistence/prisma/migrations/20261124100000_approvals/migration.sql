-- Approval policies, and the changes that wait for them (docs/decisions/0039). Instant: the tables are new.

CREATE TABLE approval_policies (
  id TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  name TEXT NOT NULL,
  actions TEXT[] NOT NULL,
  amount_above_nanos BIGINT,
  approver_roles TEXT[] NOT NULL,
  approver_user_ids TEXT[] NOT NULL,
  required_approvals INTEGER NOT NULL,
  expires_after_seconds INTEGER NOT NULL,
  enabled BOOLEAN NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT approval_policies_pkey PRIMARY KEY (id),
  CONSTRAINT approval_policies_required_check CHECK (required_approvals BETWEEN 1 AND 5)
);
CREATE INDEX approval_policies_organization_id_id_idx ON approval_policies (organization_id, id DESC);

CREATE TABLE approval_requests (
  id TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  action TEXT NOT NULL,
  target_id TEXT,
  target_sha256 BYTEA,
  route TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  body JSONB,
  changes JSONB NOT NULL,
  call_sha256 BYTEA NOT NULL,
  call_ciphertext BYTEA,
  requester_type TEXT NOT NULL,
  requester_id TEXT NOT NULL,
  requester_user_id TEXT,
  request_id TEXT NOT NULL,
  reason TEXT,
  policies JSONB NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending',
  expires_at TIMESTAMPTZ(3) NOT NULL,
  decided_at TIMESTAMPTZ(3),
  decided_by TEXT,
  executed_at TIMESTAMPTZ(3),
  ended_at TIMESTAMPTZ(3),
  due_at TIMESTAMPTZ(3),
  fence BIGINT NOT NULL DEFAULT 0,
  result_status INTEGER,
  result_target_id TEXT,
  secret_state TEXT NOT NULL DEFAULT 'none',
  secret_ciphertext BYTEA,
  error JSONB,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT approval_requests_pkey PRIMARY KEY (id),
  CONSTRAINT approval_requests_state_check
    CHECK (state IN ('pending', 'approved', 'rejected', 'cancelled', 'expired', 'executed', 'failed')),
  CONSTRAINT approval_requests_call_check CHECK ((call_ciphertext IS NOT NULL) = (state IN ('pending', 'approved'))),
  CONSTRAINT approval_requests_ended_check CHECK ((ended_at IS NULL) = (state IN ('pending', 'approved'))),
  CONSTRAINT approval_requests_due_check CHECK ((due_at IS NOT NULL) = (state = 'approved')),
  CONSTRAINT approval_requests_secret_check CHECK ((secret_ciphertext IS NOT NULL) = (secret_state = 'available'))
);
CREATE INDEX approval_requests_organization_id_id_idx ON approval_requests (organization_id, id DESC);
CREATE INDEX approval_requests_pending_idx ON approval_requests (organization_id, expires_at) WHERE state = 'pending';
CREATE INDEX approval_requests_due_idx ON approval_requests (due_at) WHERE state = 'approved';
CREATE INDEX approval_requests_secret_idx ON approval_requests (executed_at) WHERE secret_state = 'available';
CREATE INDEX approval_requests_ended_at_idx ON approval_requests (ended_at);

CREATE TABLE approval_decisions (
  approval_request_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  decision TEXT NOT NULL,
  comment TEXT,
  decided_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT approval_decisions_pkey PRIMARY KEY (approval_request_id, user_id),
  CONSTRAINT approval_decisions_decision_check CHECK (decision IN ('approve', 'reject')),
  CONSTRAINT approval_decisions_approval_request_id_fkey FOREIGN KEY (approval_request_id)
    REFERENCES approval_requests (id) ON DELETE CASCADE ON UPDATE CASCADE
);
