-- What the Prisma schema cannot say: checks and partial indexes.

ALTER TABLE organizations
  ADD CHECK (state IN ('active', 'suspended')),
  ADD CHECK (rate_limit_rpm > 0),
  ADD CHECK (rate_limit_tpm > 0);

ALTER TABLE users ADD CHECK (email = lower(email));

ALTER TABLE members
  ADD CHECK (role IN ('owner', 'security_admin', 'developer', 'finance', 'viewer')),
  ADD CHECK (state IN ('active', 'removed'));

ALTER TABLE invitations
  ADD CHECK (email = lower(email)),
  ADD CHECK (role IN ('owner', 'security_admin', 'developer', 'finance', 'viewer')),
  ADD CHECK (state IN ('pending', 'accepted', 'revoked')),
  ADD CHECK (octet_length(secret_sha256) = 32);

ALTER TABLE projects ADD CHECK (state IN ('active', 'archived'));

ALTER TABLE api_keys
  ADD CHECK (state IN ('active', 'revoked')),
  ADD CHECK (octet_length(secret_sha256) = 32),
  ADD CHECK (rate_limit_rpm > 0),
  ADD CHECK (rate_limit_tpm > 0);

ALTER TABLE wallets
  ADD CHECK (balance_nanos >= 0),
  ADD CHECK (held_nanos >= 0),
  ADD CHECK (held_nanos <= balance_nanos);

ALTER TABLE credit_grants ADD CHECK (amount_nanos > 0);

ALTER TABLE ledger_transfers
  ADD CHECK (amount_nanos > 0),
  ADD CHECK (debit_account <> credit_account),
  ADD CHECK (CASE kind
    WHEN 'credit_grant' THEN credit_grant_id IS NOT NULL AND request_id IS NULL
    WHEN 'charge' THEN request_id IS NOT NULL AND credit_grant_id IS NULL
    WHEN 'overrun' THEN request_id IS NOT NULL AND credit_grant_id IS NULL
    ELSE false END);

ALTER TABLE request_records
  ADD CHECK (status IN ('pending', 'succeeded', 'failed', 'cancelled', 'reconciliation_required')),
  ADD CHECK (cost_state IN ('final', 'provisional')),
  ADD CHECK ((status = 'pending') = (finished_at IS NULL)),
  ADD CHECK (held_nanos >= 0),
  ADD CHECK (customer_nanos BETWEEN 0 AND held_nanos),
  ADD CHECK (overrun_nanos >= 0),
  ADD CHECK (least(input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens) >= 0);

ALTER TABLE budgets
  ADD CHECK (scope IN ('organization', 'project', 'api_key')),
  ADD CHECK (period IN ('day', 'month', 'session')),
  ADD CHECK (action IN ('warn', 'block')),
  ADD CHECK (amount_nanos >= 0),
  ADD CHECK (warn_at_bps BETWEEN 1 AND 10000);

ALTER TABLE budget_spends ADD CHECK (spent_nanos >= 0);

ALTER TABLE policy_versions ADD CHECK (version > 0);

ALTER TABLE provider_credentials ADD CHECK (state IN ('active', 'disabled', 'revoked', 'compromised'));

ALTER TABLE webhook_endpoints
  ADD CHECK (state IN ('active', 'failing', 'paused', 'disabled')),
  ADD CHECK (consecutive_failures >= 0),
  ADD CHECK ((previous_secret_ciphertext IS NULL) = (previous_secret_expires_at IS NULL));

ALTER TABLE webhook_deliveries
  ADD CHECK (status IN ('queued', 'succeeded', 'failed', 'dead')),
  ADD CHECK (round > 0),
  ADD CHECK (attempt_count BETWEEN 0 AND 6),
  ADD CHECK ((lease_id IS NULL) = (lease_until IS NULL)),
  ADD CHECK ((status IN ('queued', 'failed')) = (next_attempt_at IS NOT NULL));

ALTER TABLE webhook_delivery_attempts
  ADD CHECK (round > 0),
  ADD CHECK (attempt BETWEEN 1 AND 6);

ALTER TABLE oauth_apps
  ADD CHECK (app_type IN ('public', 'confidential')),
  ADD CHECK (state IN ('active', 'revoked')),
  ADD CHECK ((app_type = 'confidential') = (client_secret_sha256 IS NOT NULL));

ALTER TABLE oauth_grants ADD CHECK (state IN ('active', 'revoked'));

ALTER TABLE signing_keys
  ADD CHECK (algorithm IN ('EdDSA', 'ES256')),
  ADD CHECK (state IN ('next', 'active', 'retired'));

ALTER TABLE audit_entries ADD CHECK (actor_type IN ('user', 'api_key', 'oauth_app', 'operator', 'system'));

ALTER TABLE idempotency_claims
  ADD CHECK (char_length(key) BETWEEN 1 AND 255),
  ADD CHECK (octet_length(fingerprint_sha256) = 32),
  ADD CHECK (state IN ('in_progress', 'completed')),
  ADD CHECK ((state = 'completed') = (http_status IS NOT NULL AND response_ciphertext IS NOT NULL));

-- At most one key signs.
CREATE UNIQUE INDEX signing_keys_one_active ON signing_keys (state) WHERE state = 'active';

-- A grant is booked once. Partial, because a charge has no grant and should not pay for this index.
CREATE UNIQUE INDEX ledger_transfers_credit_grant ON ledger_transfers (credit_grant_id)
  WHERE credit_grant_id IS NOT NULL;

-- One open invitation a mailbox.
CREATE UNIQUE INDEX invitations_one_pending ON invitations (organization_id, email) WHERE state = 'pending';

-- Each covers only the rows that some loop still has to do, so it stays small however long the history is.
CREATE INDEX request_records_pending ON request_records (edge_instance_id) WHERE status = 'pending';
CREATE INDEX request_records_provisional ON request_records (finished_at) WHERE cost_state = 'provisional';
CREATE INDEX outbox_events_unpublished ON outbox_events (id) WHERE published_at IS NULL;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at)
  WHERE status IN ('queued', 'failed') AND NOT parked AND lease_id IS NULL;
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (lease_until) WHERE lease_id IS NOT NULL;

-- Rows that are updated once or often: room on the page keeps the new version beside the old one.
ALTER TABLE wallets SET (fillfactor = 50);
ALTER TABLE usage_days SET (fillfactor = 70);
ALTER TABLE webhook_deliveries SET (fillfactor = 80);
