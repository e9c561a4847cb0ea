-- The operator invites an organization's first owner, and is no user.
ALTER TABLE invitations ALTER COLUMN invited_by DROP NOT NULL;

CREATE INDEX members_organization_id_id_idx ON members (organization_id, id DESC);

-- A credit that the operator's script asks for again is given once.
ALTER TABLE credit_grants
  ADD COLUMN idempotency_key TEXT,
  ADD CHECK (char_length(idempotency_key) BETWEEN 1 AND 255);
CREATE UNIQUE INDEX credit_grants_organization_id_idempotency_key_key
  ON credit_grants (organization_id, idempotency_key);
