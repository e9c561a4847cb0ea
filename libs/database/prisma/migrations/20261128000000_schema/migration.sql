-- The tables of the service, by area (docs/decisions/0054). What the Prisma schema says too is described there, and a spec compares the
-- two. What it cannot say is here only: checks, partial indexes, partitions and storage.
--
-- Functions, views and triggers are in libs/database/sql, and loaded after this. Two functions are here, because an index and
-- partitions are made of what they return: they never change.

-- ==== Organizations and their people ====

CREATE TABLE organizations (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'suspended')),
  rate_limit_rpm INTEGER CHECK (rate_limit_rpm > 0),
  rate_limit_tpm INTEGER CHECK (rate_limit_tpm > 0),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- The label of calls by whose value an organization has its usage summed.
  usage_tag TEXT,
  fine_tuning_jobs_max INTEGER,
  fine_tuning_endpoints_max INTEGER
);

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL CHECK (email = lower(email)),
  password_hash TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  email_verified_at TIMESTAMPTZ(3),
  last_seen_at TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX users_email_key ON users (email);

CREATE TABLE members (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  user_id TEXT NOT NULL REFERENCES users (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  role TEXT NOT NULL CHECK (role IN ('owner', 'security_admin', 'developer', 'finance', 'viewer')),
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'removed')),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  removed_at TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX members_organization_id_user_id_key ON members (organization_id, user_id);
CREATE INDEX members_organization_id_id_idx ON members (organization_id, id DESC);
CREATE INDEX members_user_id_idx ON members (user_id);

CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  email TEXT NOT NULL CHECK (email = lower(email)),
  role TEXT NOT NULL CHECK (role IN ('owner', 'security_admin', 'developer', 'finance', 'viewer')),
  secret_sha256 BYTEA NOT NULL CHECK (octet_length(secret_sha256) = 32),
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'accepted', 'revoked')),
  -- Null: the operator invites an organization's first owner, and is no user.
  invited_by TEXT,
  expires_at TIMESTAMPTZ(3) NOT NULL,
  accepted_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  mailed_secret_sha256 BYTEA
);
CREATE UNIQUE INDEX invitations_mailed_secret_sha256_key ON invitations (mailed_secret_sha256);
-- One open invitation a mailbox.
CREATE UNIQUE INDEX invitations_one_pending ON invitations (organization_id, email) WHERE state = 'pending';
CREATE UNIQUE INDEX invitations_secret_sha256_key ON invitations (secret_sha256);
CREATE INDEX invitations_organization_id_id_idx ON invitations (organization_id, id DESC);

CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  name TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'archived')),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX projects_organization_id_id_key ON projects (organization_id, id DESC);

CREATE TABLE console_sessions (
  secret_sha256 BYTEA PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE,
  last_seen_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at TIMESTAMPTZ(3) NOT NULL,
  revoked_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  user_agent TEXT,
  address TEXT
);
CREATE INDEX console_sessions_expires_at_idx ON console_sessions (expires_at);
CREATE INDEX console_sessions_user_id_idx ON console_sessions (user_id);

CREATE TABLE password_resets (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE,
  secret_sha256 BYTEA NOT NULL,
  mailed BOOLEAN NOT NULL,
  expires_at TIMESTAMPTZ(3) NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX password_resets_secret_sha256_key ON password_resets (secret_sha256);
CREATE INDEX password_resets_expires_at_idx ON password_resets (expires_at);

-- Failed guesses at secrets: of a network, or of a network and what it guesses at, when the last failure will be forgotten. Lost in a
-- crash, and missed by nobody.
CREATE UNLOGGED TABLE failed_guesses (
  -- SHA-256: who tried what is nobody's business.
  guesser BYTEA PRIMARY KEY,
  clear_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX failed_guesses_clear_at_idx ON failed_guesses (clear_at);

-- ==== Keys of the API ====

-- A key's row is written each minute in which it is used.
CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  project_id TEXT,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  secret_sha256 BYTEA NOT NULL CHECK (octet_length(secret_sha256) = 32),
  scopes TEXT[],
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'revoked')),
  rate_limit_rpm INTEGER CHECK (rate_limit_rpm > 0),
  rate_limit_tpm INTEGER CHECK (rate_limit_tpm > 0),
  created_by TEXT,
  last_used_at TIMESTAMPTZ(3),
  expires_at TIMESTAMPTZ(3),
  revoked_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  purpose TEXT NOT NULL DEFAULT 'general',
  replaces TEXT,
  replaced_by TEXT,
  FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id) ON UPDATE CASCADE ON DELETE RESTRICT,
  -- A playground key is one user's, ends, and can only call models.
  CONSTRAINT api_keys_purpose CHECK (purpose = 'general'
    OR purpose = 'playground' AND created_by IS NOT NULL AND expires_at IS NOT NULL AND scopes = '{inference:invoke}')
) WITH (fillfactor = 80);
-- At most one live playground key of each user in an organization.
CREATE UNIQUE INDEX api_keys_live_playground ON api_keys (organization_id, created_by) WHERE purpose = 'playground' AND state = 'active';
CREATE UNIQUE INDEX api_keys_secret_sha256_key ON api_keys (secret_sha256);
CREATE INDEX api_keys_organization_id_id_idx ON api_keys (organization_id, id DESC);
-- A project's keys are listed by themselves: for its own keys they are all there are.
CREATE INDEX api_keys_organization_id_project_id_id_idx ON api_keys (organization_id, project_id, id DESC);

-- ==== OAuth ====

CREATE TABLE oauth_apps (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  name TEXT NOT NULL,
  app_type TEXT NOT NULL CHECK (app_type IN ('public', 'confidential')),
  client_id TEXT NOT NULL,
  client_secret_sha256 BYTEA CHECK (octet_length(client_secret_sha256) = 32),
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'revoked')),
  redirect_uris TEXT[],
  scopes TEXT[],
  homepage TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  revoked_at TIMESTAMPTZ(3),
  CHECK ((app_type = 'confidential') = (client_secret_sha256 IS NOT NULL))
);
CREATE UNIQUE INDEX oauth_apps_client_id_key ON oauth_apps (client_id);
CREATE INDEX oauth_apps_organization_id_id_idx ON oauth_apps (organization_id, id DESC);

CREATE TABLE oauth_grants (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  user_id TEXT NOT NULL REFERENCES users (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  app_id TEXT NOT NULL REFERENCES oauth_apps (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  scopes TEXT[],
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'revoked')),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at TIMESTAMPTZ(3),
  revoked_at TIMESTAMPTZ(3),
  CHECK ((state = 'revoked') = (revoked_at IS NOT NULL))
);
CREATE UNIQUE INDEX oauth_grants_user_id_organization_id_app_id_key ON oauth_grants (user_id, organization_id, app_id);
CREATE INDEX oauth_grants_app_id_idx ON oauth_grants (app_id);
CREATE INDEX oauth_grants_organization_id_id_idx ON oauth_grants (organization_id, id DESC);

CREATE TABLE authorization_codes (
  code_sha256 BYTEA PRIMARY KEY CHECK (octet_length(code_sha256) = 32),
  grant_id TEXT NOT NULL REFERENCES oauth_grants (id) ON UPDATE CASCADE ON DELETE CASCADE,
  redirect_uri TEXT NOT NULL,
  code_challenge TEXT NOT NULL,
  scopes TEXT[],
  expires_at TIMESTAMPTZ(3) NOT NULL,
  consumed_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- As long as anything that came of it: its replay must still be seen when it has long expired.
  kept_until TIMESTAMPTZ(3) NOT NULL,
  CHECK (kept_until >= expires_at)
);
CREATE INDEX authorization_codes_grant_id_idx ON authorization_codes (grant_id);
CREATE INDEX authorization_codes_kept_until_idx ON authorization_codes (kept_until);

CREATE TABLE access_tokens (
  jti TEXT PRIMARY KEY,
  grant_id TEXT NOT NULL REFERENCES oauth_grants (id) ON UPDATE CASCADE ON DELETE CASCADE,
  code_sha256 BYTEA NOT NULL,
  scopes TEXT[],
  expires_at TIMESTAMPTZ(3) NOT NULL,
  revoked_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX access_tokens_expires_at_idx ON access_tokens (expires_at);
CREATE INDEX access_tokens_grant_id_idx ON access_tokens (grant_id);

CREATE TABLE refresh_tokens (
  refresh_sha256 BYTEA PRIMARY KEY CHECK (octet_length(refresh_sha256) = 32),
  grant_id TEXT NOT NULL REFERENCES oauth_grants (id) ON UPDATE CASCADE ON DELETE CASCADE,
  code_sha256 BYTEA NOT NULL,
  scopes TEXT[],
  expires_at TIMESTAMPTZ(3) NOT NULL,
  rotated_at TIMESTAMPTZ(3),
  revoked_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX refresh_tokens_expires_at_idx ON refresh_tokens (expires_at);
CREATE INDEX refresh_tokens_grant_id_idx ON refresh_tokens (grant_id);

CREATE TABLE signing_keys (
  kid TEXT PRIMARY KEY,
  algorithm TEXT NOT NULL CHECK (algorithm IN ('EdDSA', 'ES256')),
  public_jwk JSONB NOT NULL,
  private_key_ciphertext BYTEA NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('next', 'active', 'retired')),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  retired_at TIMESTAMPTZ(3),
  CHECK ((state = 'retired') = (retired_at IS NOT NULL))
);
-- At most one key signs.
CREATE UNIQUE INDEX signing_keys_one_active ON signing_keys (state) WHERE state = 'active';
-- At most one key waits to sign.
CREATE UNIQUE INDEX signing_keys_one_next ON signing_keys (state) WHERE state = 'next';

-- ==== Policies and credentials of providers ====

CREATE TABLE policy_versions (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  version INTEGER NOT NULL CHECK (version > 0),
  document JSONB NOT NULL,
  created_by TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX policy_versions_organization_id_version_key ON policy_versions (organization_id, version DESC);

CREATE TABLE provider_credentials (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  provider TEXT NOT NULL,
  label TEXT NOT NULL,
  secret_ciphertext BYTEA NOT NULL,
  last4 TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'disabled', 'revoked', 'compromised')),
  rotated_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- When the provider last refused the credential, told once an hour.
  last_auth_failed_at TIMESTAMPTZ(3)
);
CREATE INDEX provider_credentials_organization_id_id_idx ON provider_credentials (organization_id, id DESC);

-- ==== Wallets, the ledger and budgets ====
-- Amounts are nanos, and at most what JSON can say exactly.

-- A fillfactor: rows that are updated once or often have room on their page, so that the new version stays beside the old one.
CREATE TABLE wallets (
  organization_id TEXT PRIMARY KEY REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  balance_nanos BIGINT NOT NULL DEFAULT 0 CHECK (balance_nanos >= 0) CHECK (balance_nanos <= 9007199254740991),
  held_nanos BIGINT NOT NULL DEFAULT 0 CHECK (held_nanos >= 0),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  owed_nanos BIGINT NOT NULL DEFAULT 0,
  CHECK (held_nanos <= balance_nanos),
  CONSTRAINT wallets_owed_nanos CHECK (owed_nanos >= 0)
) WITH (fillfactor = 50);
-- What the worker has to collect.
CREATE INDEX wallets_owed ON wallets (organization_id) WHERE owed_nanos > 0;

CREATE TABLE credit_grants (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  amount_nanos BIGINT NOT NULL CHECK (amount_nanos > 0),
  reason TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- A credit that the operator's script asks for again is given once.
  idempotency_key TEXT CHECK (char_length(idempotency_key) BETWEEN 1 AND 255)
);
CREATE UNIQUE INDEX credit_grants_organization_id_idempotency_key_key ON credit_grants (organization_id, idempotency_key);
CREATE INDEX credit_grants_organization_id_id_idx ON credit_grants (organization_id, id DESC);

CREATE TABLE ledger_transfers (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL,
  debit_account TEXT NOT NULL,
  credit_account TEXT NOT NULL,
  amount_nanos BIGINT NOT NULL CHECK (amount_nanos > 0),
  kind TEXT NOT NULL,
  request_id TEXT,
  credit_grant_id TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  payment_id TEXT,
  hold_id TEXT,
  CHECK (debit_account <> credit_account),
  -- Between which accounts each kind moves: a wallet's transactions are its credit and its charges, and nothing else. What a wallet owes
  -- for too long is the platform's loss.
  CONSTRAINT ledger_transfers_sides CHECK (CASE kind
    WHEN 'credit_grant' THEN debit_account = 'platform:credit' AND credit_account = 'wallet:' || organization_id
    WHEN 'top_up' THEN debit_account = 'platform:cash' AND credit_account = 'wallet:' || organization_id
    WHEN 'charge' THEN debit_account = 'wallet:' || organization_id AND credit_account = 'platform:revenue'
    WHEN 'fine_tuning' THEN debit_account = 'wallet:' || organization_id AND credit_account = 'platform:revenue'
    WHEN 'fine_tuning_endpoint' THEN debit_account = 'wallet:' || organization_id AND credit_account = 'platform:revenue'
    WHEN 'overrun' THEN debit_account = 'platform:loss' AND credit_account = 'platform:revenue'
    ELSE kind IN ('refund', 'dispute')
      AND (debit_account = 'platform:cash' AND credit_account IN ('wallet:' || organization_id, 'platform:loss')
        OR credit_account = 'platform:cash' AND debit_account IN ('wallet:' || organization_id, 'platform:loss'))
    END),
  -- What each kind is for.
  CONSTRAINT ledger_transfers_subjects CHECK (CASE kind
    WHEN 'credit_grant' THEN credit_grant_id IS NOT NULL AND request_id IS NULL AND payment_id IS NULL AND hold_id IS NULL
    WHEN 'top_up' THEN credit_grant_id IS NOT NULL AND request_id IS NULL AND payment_id IS NOT NULL AND hold_id IS NULL
    WHEN 'refund' THEN credit_grant_id IS NULL AND request_id IS NULL AND payment_id IS NOT NULL AND hold_id IS NULL
    WHEN 'dispute' THEN credit_grant_id IS NULL AND request_id IS NULL AND payment_id IS NOT NULL AND hold_id IS NULL
    WHEN 'charge' THEN request_id IS NOT NULL AND credit_grant_id IS NULL AND payment_id IS NULL AND hold_id IS NULL
    WHEN 'fine_tuning' THEN hold_id IS NOT NULL AND request_id IS NULL AND credit_grant_id IS NULL AND payment_id IS NULL
    WHEN 'fine_tuning_endpoint' THEN hold_id IS NOT NULL AND request_id IS NULL AND credit_grant_id IS NULL AND payment_id IS NULL
    WHEN 'overrun' THEN (request_id IS NULL) <> (hold_id IS NULL) AND credit_grant_id IS NULL AND payment_id IS NULL
    ELSE false END)
);
-- A grant is booked once. Partial, because a charge has no grant and should not pay for this index.
CREATE UNIQUE INDEX ledger_transfers_credit_grant ON ledger_transfers (credit_grant_id) WHERE credit_grant_id IS NOT NULL;
-- A standing hold is charged once.
CREATE UNIQUE INDEX ledger_transfers_hold_id_kind_key ON ledger_transfers (hold_id, kind);
CREATE UNIQUE INDEX ledger_transfers_request_id_kind_key ON ledger_transfers (request_id, kind);
-- A payment is credited once.
CREATE UNIQUE INDEX ledger_transfers_top_up ON ledger_transfers (payment_id) WHERE kind = 'top_up';
-- A page of a history is one range, compared as pairs (libs/database/src/history), and pairs need both columns in one direction.
CREATE INDEX ledger_transfers_organization_id_id_idx ON ledger_transfers (organization_id, id);

CREATE TABLE budgets (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  name TEXT NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('organization', 'project', 'api_key')),
  scope_id TEXT NOT NULL,
  period TEXT NOT NULL CHECK (period IN ('day', 'month', 'session')),
  amount_nanos BIGINT NOT NULL CHECK (amount_nanos >= 0) CHECK (amount_nanos <= 9007199254740991),
  action TEXT NOT NULL CHECK (action IN ('warn', 'block')),
  warn_at_bps INTEGER NOT NULL CHECK (warn_at_bps BETWEEN 1 AND 10000),
  enabled BOOLEAN NOT NULL DEFAULT true,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX budgets_organization_id_id_idx ON budgets (organization_id, id DESC);

CREATE TABLE budget_spends (
  budget_id TEXT NOT NULL REFERENCES budgets (id) ON UPDATE CASCADE ON DELETE CASCADE,
  period_key TEXT NOT NULL,
  spent_nanos BIGINT NOT NULL DEFAULT 0 CHECK (spent_nanos >= 0),
  warned_at TIMESTAMPTZ(3),
  exceeded_at TIMESTAMPTZ(3),
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  reserved_nanos BIGINT NOT NULL DEFAULT 0 CHECK (reserved_nanos >= 0),
  refused_at TIMESTAMPTZ(3),
  review_due BOOLEAN NOT NULL DEFAULT true,
  PRIMARY KEY (budget_id, period_key)
) WITH (fillfactor = 50);
-- The flag changes once a tick, however often the row does: the other updates stay on their page. Ended sessions have no index:
-- one on updated_at would keep every call's update from staying on its page.
CREATE INDEX budget_spends_review_due ON budget_spends (budget_id, period_key) WHERE review_due;

CREATE TABLE standing_holds (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  api_key_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('fine_tuning', 'fine_tuning_endpoint')),
  model TEXT NOT NULL,
  provider TEXT NOT NULL,
  held_nanos BIGINT NOT NULL CHECK (held_nanos >= 0),
  budget_periods JSONB,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  settled_at TIMESTAMPTZ(3)
);
-- What is open, for the budgets that it counts in.
CREATE INDEX standing_holds_open ON standing_holds (organization_id) WHERE settled_at IS NULL;

-- ==== Payments ====
-- docs/decisions/0044 and 0045.

CREATE TABLE payments (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  kind TEXT NOT NULL CHECK (kind IN ('checkout', 'auto')),
  amount_nanos BIGINT NOT NULL CHECK (amount_nanos > 0 AND amount_nanos % 10000000 = 0),
  currency TEXT NOT NULL,
  livemode BOOLEAN NOT NULL,
  state TEXT NOT NULL,
  provider_reference TEXT,
  intent_reference TEXT,
  checkout_url TEXT,
  success_url TEXT,
  cancel_url TEXT,
  failure_code TEXT,
  review_reason TEXT,
  credit_grant_id TEXT,
  receipt_number TEXT,
  refunded_nanos BIGINT NOT NULL DEFAULT 0 CHECK (refunded_nanos >= 0),
  withdrawn_nanos BIGINT NOT NULL DEFAULT 0 CHECK (withdrawn_nanos >= 0),
  reinstated_nanos BIGINT NOT NULL DEFAULT 0 CHECK (reinstated_nanos >= 0),
  clawed_back_nanos BIGINT NOT NULL DEFAULT 0 CHECK (clawed_back_nanos >= 0),
  owed_nanos BIGINT NOT NULL DEFAULT 0 CHECK (owed_nanos >= 0),
  written_off_nanos BIGINT NOT NULL DEFAULT 0 CHECK (written_off_nanos >= 0),
  owed_since TIMESTAMPTZ(3),
  idempotency_key TEXT,
  created_by_type TEXT NOT NULL,
  created_by_id TEXT,
  cancel_requested_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  completed_at TIMESTAMPTZ(3),
  due_at TIMESTAMPTZ(3),
  fence BIGINT NOT NULL DEFAULT 0,
  save_payment_method BOOLEAN NOT NULL DEFAULT false,
  payment_method_id TEXT,
  -- Credited: exactly those that have a grant and a receipt.
  CHECK ((state IN ('succeeded', 'partially_refunded', 'refunded', 'disputed')) = (credit_grant_id IS NOT NULL)),
  CHECK ((credit_grant_id IS NULL) = (receipt_number IS NULL)),
  CHECK (clawed_back_nanos + owed_nanos + written_off_nanos <= amount_nanos),
  CHECK ((owed_nanos > 0) = (owed_since IS NOT NULL)),
  CONSTRAINT payments_state_check CHECK (state IN ('created', 'pending', 'failed', 'expired', 'cancelled', 'review', 'dismissed',
      'succeeded', 'partially_refunded', 'refunded', 'disputed'))
);
-- At most one automatic payment of an organization is open.
CREATE UNIQUE INDEX payments_one_open_auto ON payments (organization_id) WHERE kind = 'auto' AND state IN ('created', 'pending', 'review');
CREATE UNIQUE INDEX payments_organization_id_idempotency_key_key ON payments (organization_id, idempotency_key);
CREATE UNIQUE INDEX payments_receipt_number_key ON payments (receipt_number);
-- What was charged in a month, and when last.
CREATE INDEX payments_auto ON payments (organization_id, created_at) WHERE kind = 'auto';
-- What the workers have to do.
CREATE INDEX payments_due ON payments (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payments_intent_reference_idx ON payments (intent_reference);
CREATE INDEX payments_organization_id_id_idx ON payments (organization_id, id DESC);
CREATE INDEX payments_owed ON payments (organization_id) WHERE owed_nanos > 0;
CREATE INDEX payments_provider_reference_idx ON payments (provider_reference);
CREATE INDEX payments_state_id_idx ON payments (state, id DESC);

CREATE TABLE payment_refunds (
  id TEXT PRIMARY KEY,
  payment_id TEXT NOT NULL REFERENCES payments (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  amount_nanos BIGINT NOT NULL CHECK (amount_nanos > 0 AND amount_nanos % 10000000 = 0),
  state TEXT NOT NULL CHECK (state IN ('requested', 'made', 'refused')),
  reason TEXT NOT NULL,
  failure_code TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- When the provider took the refund. It is requested until the provider's totals have it.
  accepted_at TIMESTAMPTZ(3)
);
CREATE INDEX payment_refunds_payment_id_idx ON payment_refunds (payment_id);

CREATE TABLE payment_customers (
  organization_id TEXT NOT NULL,
  livemode BOOLEAN NOT NULL,
  provider_reference TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (organization_id, livemode)
);

-- Cards that the payment provider keeps.
CREATE TABLE payment_methods (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL,
  livemode BOOLEAN NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'active', 'expired', 'deleted')),
  setup_reference TEXT,
  provider_reference TEXT,
  brand TEXT CHECK (length(brand) <= 64),
  -- Never a whole number of a card.
  last4 TEXT CHECK (last4 ~ '^[0-9]{4}$'),
  exp_month SMALLINT CHECK (exp_month BETWEEN 1 AND 12),
  exp_year SMALLINT,
  created_by_type TEXT NOT NULL,
  created_by_id TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  due_at TIMESTAMPTZ(3),
  CHECK (state NOT IN ('active', 'deleted')
      OR (provider_reference IS NOT NULL AND brand IS NOT NULL AND last4 IS NOT NULL AND exp_month IS NOT NULL AND exp_year IS NOT NULL))
);
-- A card is kept once, whoever asks and however often.
CREATE UNIQUE INDEX payment_methods_provider_reference ON payment_methods (provider_reference) WHERE provider_reference IS NOT NULL;
CREATE INDEX payment_methods_due ON payment_methods (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payment_methods_organization_id_id_idx ON payment_methods (organization_id, id DESC);
CREATE INDEX payment_methods_setup_reference_idx ON payment_methods (setup_reference);

-- When wallets are topped up by themselves.
CREATE TABLE auto_top_ups (
  organization_id TEXT PRIMARY KEY,
  enabled BOOLEAN NOT NULL,
  threshold_nanos BIGINT NOT NULL CHECK (threshold_nanos >= 0),
  amount_nanos BIGINT NOT NULL CHECK (amount_nanos > 0 AND amount_nanos % 10000000 = 0),
  monthly_cap_nanos BIGINT NOT NULL,
  payment_method_id TEXT,
  disabled_reason TEXT,
  failures SMALLINT NOT NULL DEFAULT 0,
  retry_at TIMESTAMPTZ(3),
  cap_told_month TEXT,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CHECK (monthly_cap_nanos >= amount_nanos),
  CHECK (NOT enabled OR (payment_method_id IS NOT NULL AND disabled_reason IS NULL))
);
CREATE INDEX auto_top_ups_enabled ON auto_top_ups (organization_id) WHERE enabled;

CREATE TABLE provider_events (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  payment_id TEXT,
  provider_reference TEXT,
  intent_reference TEXT,
  result TEXT,
  received_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- An event that cannot be looked up is looked up again later, and given up after a day.
  due_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  tries SMALLINT NOT NULL DEFAULT 0,
  CONSTRAINT provider_events_result CHECK (result IN ('nudged', 'ignored', 'given_up'))
);
CREATE INDEX provider_events_received_at_idx ON provider_events (received_at);
CREATE INDEX provider_events_waiting ON provider_events (received_at) WHERE result IS NULL;

-- The last number given. Its row is locked until the receipt commits, so no number is skipped.
CREATE TABLE receipt_counters (
  livemode BOOLEAN PRIMARY KEY,
  last_number BIGINT NOT NULL
);
INSERT INTO receipt_counters VALUES (true, 0), (false, 0);

-- ==== Calls and their recovery ====
-- docs/decisions/0013 and 0016.

-- The request log by months: partitions go by ids, which sort by their time.
CREATE TABLE request_records (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL,
  project_id TEXT,
  api_key_id TEXT NOT NULL,
  edge_instance_id TEXT NOT NULL,
  session_id TEXT,
  route TEXT NOT NULL,
  model TEXT NOT NULL,
  stream BOOLEAN NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'succeeded', 'failed', 'cancelled', 'reconciliation_required')),
  held_nanos BIGINT NOT NULL CHECK (held_nanos >= 0),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  provider TEXT,
  http_status INTEGER,
  error_code TEXT,
  attempts JSONB NOT NULL DEFAULT '[]',
  input_tokens INTEGER NOT NULL DEFAULT 0,
  cached_input_tokens INTEGER NOT NULL DEFAULT 0,
  cache_write_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  reasoning_tokens INTEGER NOT NULL DEFAULT 0,
  customer_nanos BIGINT NOT NULL DEFAULT 0,
  overrun_nanos BIGINT NOT NULL DEFAULT 0 CHECK (overrun_nanos >= 0),
  cost_state TEXT CHECK (cost_state IN ('final', 'provisional')),
  ttft_ms INTEGER,
  duration_ms INTEGER,
  finished_at TIMESTAMPTZ(3),
  budget_periods JSONB,
  trace_id TEXT,
  labels JSONB,
  usage_tag TEXT,
  policy_version INTEGER,
  explanation JSONB,
  CHECK ((status = 'pending') = (finished_at IS NULL)),
  CHECK (customer_nanos BETWEEN 0 AND held_nanos),
  CHECK (least(input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens) >= 0),
  -- The platform loses nothing by a call whose hold was not used up.
  CHECK (overrun_nanos = 0 OR customer_nanos = held_nanos)
) PARTITION BY RANGE (id);
CREATE INDEX request_records_organization_id_id_idx ON request_records (organization_id, id);
-- Each covers only the rows that some loop still has to do, so it stays small however long the history is.
CREATE INDEX request_records_pending ON request_records (edge_instance_id) WHERE status = 'pending';
CREATE INDEX request_records_provisional ON request_records (finished_at) WHERE cost_state = 'provisional';

-- Takes what no month takes, so that no call is refused.
CREATE TABLE request_records_default PARTITION OF request_records DEFAULT;

-- The first id that can be made at a time (libs/kernel ids): ids sort by their time.
CREATE FUNCTION request_id_at(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 'req_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> 5 * place & 31)::int + 1, 1), '' ORDER BY place DESC)
    || repeat('0', 16)
  FROM (SELECT floor(extract(epoch FROM at) * 1000)::bigint) AS made (ms), generate_series(0, 9) AS place
$$;

-- The months until the worker makes them: the first partition ends a week ahead at least.
--
-- contract: it makes partitions of a new table, and must be a block because their bounds depend on the month.
DO $$
DECLARE
  first_end timestamp := date_trunc('month', (now() + interval '7 days') AT TIME ZONE 'UTC') + interval '1 month';
  month timestamp;
BEGIN
  -- Pairs, because in some languages a pair of letters is sorted as one (aa in Danish, ch in Czech).
  IF (SELECT array_agg(id ORDER BY id) <> array_agg(id ORDER BY id COLLATE "C")
      FROM (SELECT 'req_' || one || other FROM unnest(string_to_array('0123456789abcdefghjkmnpqrstvwxyz', NULL)) AS one,
        unnest(string_to_array('0123456789abcdefghjkmnpqrstvwxyz', NULL)) AS other) AS ids (id)) THEN
    RAISE EXCEPTION 'the collation of this database does not sort ids by their time: restore it into one with LOCALE ''C'' or ''en_US.UTF-8''';
  END IF;
  EXECUTE format('CREATE TABLE request_records_first PARTITION OF request_records FOR VALUES FROM (MINVALUE) TO (%L)',
    request_id_at(first_end AT TIME ZONE 'UTC'));
  FOR month IN
    SELECT generate_series(first_end, date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months', interval '1 month')
  LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF request_records FOR VALUES FROM (%L) TO (%L)',
      to_char(month, '"request_records_"YYYY"_"MM'), request_id_at(month AT TIME ZONE 'UTC'),
      request_id_at((month + interval '1 month') AT TIME ZONE 'UTC'));
  END LOOP;
END
$$;

-- When calls were last seen to come into a month. Long after its end that is an edge whose clock is months behind: its calls are young,
-- though their ids say that they are old.
CREATE TABLE request_month_arrivals (
  partition TEXT PRIMARY KEY,
  -- As the statistics count them.
  arrived BIGINT NOT NULL,
  arrived_at TIMESTAMPTZ(3) NOT NULL
);

-- A hold whose answer was lost, released before it was known whether it had been opened: opened later, it would be nobody's.
CREATE TABLE released_holds (
  request_id TEXT PRIMARY KEY,
  released_at TIMESTAMPTZ(3) NOT NULL DEFAULT now()
);
CREATE INDEX released_holds_released_at_idx ON released_holds (released_at);

CREATE TABLE edge_instances (
  id TEXT PRIMARY KEY,
  started_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  lease_until TIMESTAMPTZ(3) NOT NULL,
  platform_providers TEXT[] DEFAULT ARRAY[]::TEXT[]
);

-- The worker writes it every two seconds. Only a database that takes writes can prolong a lease, so only while this row shows that
-- it took them without a gap may a lapsed lease be held against its owner.
CREATE TABLE database_heartbeat (
  id INTEGER PRIMARY KEY DEFAULT 1,
  -- Since then no two beats were further apart than a gap.
  writable_since TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  beaten_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CONSTRAINT database_heartbeat_is_one CHECK (id = 1)
);
INSERT INTO database_heartbeat DEFAULT VALUES;

-- ==== Usage, refusals and circuits ====
-- docs/decisions/0026, 0028, 0031 and 0032.

CREATE TABLE usage_days (
  organization_id TEXT NOT NULL,
  day DATE NOT NULL,
  project_id TEXT NOT NULL,
  api_key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  provider TEXT NOT NULL,
  request_count BIGINT NOT NULL,
  input_tokens BIGINT NOT NULL,
  cached_input_tokens BIGINT NOT NULL,
  cache_write_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  reasoning_tokens BIGINT NOT NULL,
  customer_nanos BIGINT NOT NULL,
  tag TEXT NOT NULL DEFAULT '',
  failed_count BIGINT NOT NULL DEFAULT 0,
  cancelled_count BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, day, project_id, api_key_id, model, provider, tag)
) WITH (fillfactor = 70);

-- The tags of an organization on a day. They are bounded, so that values without end (ids of users, say) make no rows without end.
CREATE TABLE usage_day_tags (
  organization_id TEXT NOT NULL,
  day DATE NOT NULL,
  tag TEXT NOT NULL,
  PRIMARY KEY (organization_id, day, tag)
);

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
  PRIMARY KEY (organization_id, hour, project_id, api_key_id, model, code)
);
CREATE INDEX refusals_hour_idx ON refusals (hour);

-- The last batch that each edge added to them.
CREATE TABLE refusal_batches (
  writer_id TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  written_at TIMESTAMPTZ(3) NOT NULL
);

-- What edges add up of the calls that end with them.
-- A row is written up to twelve times while its minute lasts: room for that on its page, so that no index is touched.
CREATE TABLE call_minutes (
  organization_id TEXT NOT NULL,
  minute TIMESTAMPTZ(0) NOT NULL,
  project_id TEXT NOT NULL,
  api_key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  provider TEXT NOT NULL,
  writer_id UUID NOT NULL,
  calls INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  cancelled INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  input_tokens BIGINT NOT NULL,
  cached_input_tokens BIGINT NOT NULL,
  cache_write_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  reasoning_tokens BIGINT NOT NULL,
  spent_nanos BIGINT NOT NULL,
  duration_bounds SMALLINT[] NOT NULL,
  duration_counts INTEGER[] NOT NULL,
  ttft_bounds SMALLINT[] NOT NULL,
  ttft_counts INTEGER[] NOT NULL,
  PRIMARY KEY (organization_id, minute, project_id, api_key_id, model, provider, writer_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX call_minutes_minute_idx ON call_minutes (minute);
CREATE INDEX call_minutes_model_minute_organization_id_idx ON call_minutes (model, minute, organization_id);
CREATE INDEX call_minutes_provider_minute_organization_id_idx ON call_minutes (provider, minute, organization_id);

-- Summed up from the minutes.
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
  PRIMARY KEY (organization_id, hour, project_id, api_key_id, model, provider)
);
CREATE INDEX call_hours_hour_idx ON call_hours (hour);

-- Hours whose minutes changed after they were summed up, if they ever were.
CREATE TABLE call_hours_due (
  organization_id TEXT NOT NULL,
  hour TIMESTAMPTZ(0) NOT NULL,
  changed_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (organization_id, hour)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE circuit_reports (
  endpoint_id TEXT NOT NULL,
  edge_instance_id TEXT NOT NULL,
  model TEXT NOT NULL,
  provider TEXT NOT NULL,
  open_since TIMESTAMPTZ(3),
  planned_at TIMESTAMPTZ(3) NOT NULL,
  reported_at TIMESTAMPTZ(3) NOT NULL,
  open_until TIMESTAMPTZ(3),
  plain_latency_ms DOUBLE PRECISION,
  plain_tokens_per_second DOUBLE PRECISION,
  plain_measured_at TIMESTAMPTZ(3),
  stream_latency_ms DOUBLE PRECISION,
  stream_tokens_per_second DOUBLE PRECISION,
  stream_measured_at TIMESTAMPTZ(3),
  PRIMARY KEY (endpoint_id, edge_instance_id)
) WITH (fillfactor = 50);

-- ==== Changes: audit, idempotency and approvals ====

-- Labels: what actor and target were called when the entry was written.
CREATE TABLE audit_entries (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL,
  actor_type TEXT NOT NULL CHECK (actor_type IN ('user', 'api_key', 'oauth_app', 'operator', 'system')),
  actor_id TEXT,
  action TEXT NOT NULL,
  target_type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  changes JSONB NOT NULL DEFAULT '{}',
  request_id TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- The approval request that a change was made by. Null for all others.
  approval_request_id TEXT,
  actor_label TEXT,
  target_label TEXT
);
CREATE INDEX audit_entries_organization_id_id_idx ON audit_entries (organization_id, id);

CREATE TABLE idempotency_claims (
  organization_id TEXT NOT NULL,
  key TEXT NOT NULL CHECK (char_length(key) BETWEEN 1 AND 255),
  request_id TEXT NOT NULL,
  fingerprint_sha256 BYTEA NOT NULL CHECK (octet_length(fingerprint_sha256) = 32),
  state TEXT NOT NULL DEFAULT 'in_progress' CHECK (state IN ('in_progress', 'completed')),
  edge_instance_id TEXT NOT NULL,
  http_status INTEGER,
  response_ciphertext BYTEA,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (organization_id, key),
  CHECK ((state = 'completed') = (http_status IS NOT NULL AND response_ciphertext IS NOT NULL))
);
CREATE INDEX idempotency_claims_expires_at_idx ON idempotency_claims (expires_at);

CREATE TABLE approval_policies (
  id TEXT PRIMARY KEY,
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
  CONSTRAINT approval_policies_required_check CHECK (required_approvals BETWEEN 1 AND 5)
);
CREATE INDEX approval_policies_organization_id_id_idx ON approval_policies (organization_id, id DESC);

CREATE TABLE approval_requests (
  id TEXT PRIMARY KEY,
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
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'approved', 'rejected', 'cancelled', 'expired', 'executed', 'failed')),
  expires_at TIMESTAMPTZ(3) NOT NULL,
  decided_at TIMESTAMPTZ(3),
  decided_by TEXT,
  executed_at TIMESTAMPTZ(3),
  ended_at TIMESTAMPTZ(3),
  due_at TIMESTAMPTZ(3),
  lease_until TIMESTAMPTZ(3),
  fence BIGINT NOT NULL DEFAULT 0,
  result_status INTEGER,
  result_target_id TEXT,
  secret_state TEXT NOT NULL DEFAULT 'none',
  secret_ciphertext BYTEA,
  error JSONB,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT approval_requests_call_check CHECK ((call_ciphertext IS NOT NULL) = (state IN ('pending', 'approved'))),
  CONSTRAINT approval_requests_due_check CHECK ((due_at IS NOT NULL) = (state = 'approved')),
  CONSTRAINT approval_requests_ended_check CHECK ((ended_at IS NULL) = (state IN ('pending', 'approved'))),
  CONSTRAINT approval_requests_secret_check CHECK ((secret_ciphertext IS NOT NULL) = (secret_state = 'available'))
);
CREATE INDEX approval_requests_due_idx ON approval_requests (due_at) WHERE state = 'approved';
CREATE INDEX approval_requests_ended_at_idx ON approval_requests (ended_at);
CREATE INDEX approval_requests_organization_id_id_idx ON approval_requests (organization_id, id DESC);
CREATE INDEX approval_requests_pending_idx ON approval_requests (organization_id, expires_at) WHERE state = 'pending';
CREATE INDEX approval_requests_secret_idx ON approval_requests (executed_at) WHERE secret_state = 'available';

CREATE TABLE approval_decisions (
  approval_request_id TEXT NOT NULL REFERENCES approval_requests (id) ON UPDATE CASCADE ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  decision TEXT NOT NULL CHECK (decision IN ('approve', 'reject')),
  comment TEXT,
  decided_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (approval_request_id, user_id)
);

-- ==== The outbox ====

CREATE TABLE outbox_events (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL,
  type TEXT NOT NULL,
  payload TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  published_at TIMESTAMPTZ(3)
);
-- Finds what is old enough to be deleted, however long the history is.
CREATE INDEX outbox_events_published ON outbox_events (published_at) WHERE published_at IS NOT NULL;
CREATE INDEX outbox_events_unpublished ON outbox_events (id) WHERE published_at IS NULL;

-- The id of a parked message, by which the operator's API names it: made of what names its row already. As other ids: ten letters of its
-- time, sixteen more.
CREATE FUNCTION parked_message_id(parked_at timestamptz, consumer text, topic text, partition int, "offset" bigint)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 'pkm_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits FROM 5 * place + 1 FOR 5)::int + 1, 1), '' ORDER BY place)
  FROM (SELECT floor(extract(epoch FROM parked_at) * 1000)::bigint::bit(50)
    || ('x' || substr(md5(concat_ws(' ', consumer, topic, partition::text, "offset"::text)), 1, 20))::bit(80)
  ) AS named (bits), generate_series(0, 25) AS place
$$;

CREATE TABLE parked_messages (
  consumer TEXT NOT NULL,
  topic TEXT NOT NULL,
  partition INTEGER NOT NULL,
  "offset" BIGINT NOT NULL,
  key TEXT,
  payload BYTEA NOT NULL,
  reason TEXT NOT NULL,
  parked_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  resolved_at TIMESTAMPTZ(3),
  PRIMARY KEY (consumer, topic, partition, "offset")
);
CREATE UNIQUE INDEX parked_messages_by_id ON parked_messages (parked_message_id(parked_at, consumer, topic, partition, "offset"));
-- For the count of those that wait, and the oldest of them: resolved ones are kept.
CREATE INDEX parked_messages_waiting ON parked_messages (parked_at) WHERE resolved_at IS NULL;

-- ==== Webhooks ====
-- Deliveries are claimed lane by lane (docs/decisions/0010). What waits for a paused or disabled endpoint stays where it is: its
-- lane is closed, so nobody looks at it, however much it is.

CREATE TABLE webhook_endpoints (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  url TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  event_types TEXT[],
  enabled BOOLEAN NOT NULL DEFAULT true,
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'failing', 'paused', 'disabled')),
  disabled_reason TEXT,
  consecutive_failures INTEGER NOT NULL DEFAULT 0 CHECK (consecutive_failures >= 0),
  secret_ciphertext BYTEA NOT NULL,
  secret_last4 TEXT NOT NULL,
  previous_secret_ciphertext BYTEA,
  previous_secret_expires_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  deleted_at TIMESTAMPTZ(3),
  CHECK ((previous_secret_ciphertext IS NULL) = (previous_secret_expires_at IS NULL))
);
CREATE INDEX webhook_endpoints_closed ON webhook_endpoints (id) WHERE NOT enabled OR deleted_at IS NOT NULL;
CREATE INDEX webhook_endpoints_organization_id_id_idx ON webhook_endpoints (organization_id, id DESC);

CREATE TABLE webhook_events (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL,
  type TEXT NOT NULL,
  payload TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- Every attempt leaves two dead versions of a delivery and of its lane behind, at the head of what is looked at next.
CREATE TABLE webhook_deliveries (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL,
  event_id TEXT NOT NULL REFERENCES webhook_events (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  event_type TEXT NOT NULL,
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  status TEXT NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'succeeded', 'failed', 'dead')),
  round INTEGER NOT NULL DEFAULT 1 CHECK (round > 0),
  attempt_count INTEGER NOT NULL DEFAULT 0 CHECK (attempt_count BETWEEN 0 AND 6),
  next_attempt_at TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  lease_id TEXT,
  lease_until TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CHECK ((lease_id IS NULL) = (lease_until IS NULL)),
  CHECK ((status IN ('queued', 'failed')) = (next_attempt_at IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
CREATE UNIQUE INDEX webhook_deliveries_event_id_endpoint_id_key ON webhook_deliveries (event_id, endpoint_id);
CREATE INDEX webhook_deliveries_endpoint_id_id_idx ON webhook_deliveries (endpoint_id, id);
-- At most 8 an endpoint: whoever claims counts them.
CREATE INDEX webhook_deliveries_in_flight ON webhook_deliveries (endpoint_id) WHERE lease_id IS NOT NULL;
CREATE INDEX webhook_deliveries_organization_id_id_idx ON webhook_deliveries (organization_id, id);
-- A delivery that waits for its time, or for its turn.
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, next_attempt_at)
  WHERE status IN ('queued', 'failed') AND lease_id IS NULL;
-- The few of them that a closed lane lets through.
CREATE INDEX webhook_deliveries_waiting_tests ON webhook_deliveries (endpoint_id, next_attempt_at)
  WHERE status IN ('queued', 'failed') AND lease_id IS NULL AND event_type = 'webhook.test';

CREATE TABLE webhook_delivery_attempts (
  delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id) ON UPDATE CASCADE ON DELETE CASCADE,
  round INTEGER NOT NULL CHECK (round > 0),
  attempt INTEGER NOT NULL CHECK (attempt BETWEEN 1 AND 6),
  started_at TIMESTAMPTZ(3) NOT NULL,
  duration_ms INTEGER,
  status_code INTEGER,
  error TEXT,
  response_excerpt TEXT,
  PRIMARY KEY (delivery_id, round, attempt)
);

CREATE TABLE webhook_lanes (
  endpoint_id TEXT PRIMARY KEY REFERENCES webhook_endpoints (id) ON UPDATE CASCADE ON DELETE CASCADE,
  turn_at TIMESTAMPTZ(6),
  "full" BOOLEAN NOT NULL DEFAULT false,
  slots SMALLINT NOT NULL DEFAULT 1 CHECK (slots BETWEEN 1 AND 8),
  waiting_since TIMESTAMPTZ(3),
  CHECK (NOT ("full" AND turn_at IS NOT NULL))
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
CREATE INDEX webhook_lanes_turn ON webhook_lanes (turn_at) WHERE turn_at IS NOT NULL;

-- ==== Integrations ====
-- Deliveries to them have lanes of their own (docs/decisions/0042).

CREATE TABLE integrations (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  kind TEXT NOT NULL CHECK (kind IN ('slack', 'discord', 'teams', 'pagerduty', 'email', 'otlp')),
  name TEXT NOT NULL,
  config JSONB NOT NULL,
  secret_ciphertext BYTEA,
  event_types TEXT[] NOT NULL,
  enabled BOOLEAN NOT NULL DEFAULT true,
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'failing', 'paused', 'disabled')),
  disabled_reason TEXT,
  consecutive_failures INTEGER NOT NULL DEFAULT 0 CHECK (consecutive_failures >= 0),
  last_success_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  deleted_at TIMESTAMPTZ(3)
);
CREATE INDEX integrations_closed ON integrations (id) WHERE NOT enabled OR deleted_at IS NOT NULL;
CREATE INDEX integrations_organization_id_id_idx ON integrations (organization_id, id DESC);
CREATE INDEX integrations_otlp ON integrations (id) WHERE kind = 'otlp' AND enabled AND deleted_at IS NULL;

CREATE TABLE integration_deliveries (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL,
  integration_id TEXT NOT NULL REFERENCES integrations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  event_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  body TEXT NOT NULL,
  alert_id TEXT,
  status TEXT NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'succeeded', 'failed', 'dead')),
  round INTEGER NOT NULL DEFAULT 1 CHECK (round > 0),
  attempt_count INTEGER NOT NULL DEFAULT 0 CHECK (attempt_count BETWEEN 0 AND 6),
  next_attempt_at TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  lease_id TEXT,
  lease_until TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- What has ended is not due, and the other way round.
  CONSTRAINT integration_deliveries_due_check CHECK ((status IN ('queued', 'failed')) = (next_attempt_at IS NOT NULL)),
  CONSTRAINT integration_deliveries_lease_check CHECK ((lease_id IS NULL) = (lease_until IS NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
CREATE UNIQUE INDEX integration_deliveries_event_id_integration_id_key ON integration_deliveries (event_id, integration_id);
CREATE INDEX integration_deliveries_alert_id_idx ON integration_deliveries (alert_id);
CREATE INDEX integration_deliveries_in_flight ON integration_deliveries (integration_id) WHERE lease_id IS NOT NULL;
CREATE INDEX integration_deliveries_integration_id_id_idx ON integration_deliveries (integration_id, id);
CREATE INDEX integration_deliveries_leased ON integration_deliveries (lease_until) WHERE lease_id IS NOT NULL;
CREATE INDEX integration_deliveries_organization_id_id_idx ON integration_deliveries (organization_id, id);
CREATE INDEX integration_deliveries_waiting ON integration_deliveries (integration_id, next_attempt_at)
  WHERE status IN ('queued', 'failed') AND lease_id IS NULL;
CREATE INDEX integration_deliveries_waiting_tests ON integration_deliveries (integration_id, next_attempt_at)
  WHERE status IN ('queued', 'failed') AND lease_id IS NULL AND event_type = 'integration.test';

CREATE TABLE integration_delivery_attempts (
  delivery_id TEXT NOT NULL REFERENCES integration_deliveries (id) ON UPDATE CASCADE ON DELETE CASCADE,
  round INTEGER NOT NULL CHECK (round > 0),
  attempt INTEGER NOT NULL CHECK (attempt BETWEEN 1 AND 6),
  started_at TIMESTAMPTZ(3) NOT NULL,
  duration_ms INTEGER,
  status_code INTEGER,
  error TEXT,
  response_excerpt TEXT,
  PRIMARY KEY (delivery_id, round, attempt)
);

CREATE TABLE integration_lanes (
  integration_id TEXT PRIMARY KEY REFERENCES integrations (id) ON UPDATE CASCADE ON DELETE CASCADE,
  turn_at TIMESTAMPTZ(6),
  "full" BOOLEAN NOT NULL DEFAULT false,
  slots SMALLINT NOT NULL DEFAULT 1 CHECK (slots BETWEEN 1 AND 8),
  waiting_since TIMESTAMPTZ(3),
  CONSTRAINT integration_lanes_full_check CHECK (NOT ("full" AND turn_at IS NOT NULL))
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
CREATE INDEX integration_lanes_turn ON integration_lanes (turn_at) WHERE turn_at IS NOT NULL;

CREATE TABLE otlp_metric_cursors (
  integration_id TEXT PRIMARY KEY REFERENCES integrations (id) ON UPDATE CASCADE ON DELETE CASCADE,
  next_minute TIMESTAMPTZ(3) NOT NULL
);

-- ==== Mails, alerts and incidents ====
-- docs/decisions/0033 and 0034.

CREATE TABLE mails (
  id UUID PRIMARY KEY,
  organization_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  alert_id TEXT,
  alert_rule_id TEXT,
  status TEXT NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sent', 'failed', 'skipped')),
  error TEXT,
  tries SMALLINT NOT NULL DEFAULT 0,
  due_at TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  lease_until TIMESTAMPTZ(3),
  fence BIGINT NOT NULL DEFAULT 0,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- What has ended is not due, and the other way round.
  CONSTRAINT mails_due_at_check CHECK ((status = 'queued') = (due_at IS NOT NULL))
);
CREATE INDEX mails_alert_id_idx ON mails (alert_id);
CREATE INDEX mails_alert_rule_id_member_id_created_at_idx ON mails (alert_rule_id, member_id, created_at);
CREATE INDEX mails_created_at_idx ON mails (created_at);
CREATE INDEX mails_due_at_idx ON mails (due_at);

-- Every tick writes each rule: room for that on its page, so that no index is touched.
CREATE TABLE alert_rules (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL,
  project_id TEXT,
  name TEXT NOT NULL,
  metric TEXT NOT NULL,
  threshold BIGINT NOT NULL,
  window_seconds INTEGER NOT NULL,
  period TEXT,
  filter_project_id TEXT,
  filter_api_key_id TEXT,
  filter_model TEXT,
  filter_provider TEXT,
  filter_budget_id TEXT,
  filter_webhook_endpoint_id TEXT,
  filter_integration_id TEXT,
  min_requests INTEGER NOT NULL,
  for_seconds INTEGER NOT NULL,
  keep_firing_seconds INTEGER NOT NULL,
  repeat_seconds INTEGER,
  severity TEXT NOT NULL,
  notify_roles TEXT[] NOT NULL,
  notify_member_ids TEXT[] NOT NULL,
  enabled BOOLEAN NOT NULL,
  disabled_reason TEXT,
  muted_until TIMESTAMPTZ(3),
  version INTEGER NOT NULL DEFAULT 1,
  state TEXT NOT NULL DEFAULT 'ok' CHECK (state IN ('ok', 'pending', 'firing', 'no_data')),
  observed BIGINT,
  evaluated_at TIMESTAMPTZ(3),
  pending_since TIMESTAMPTZ(3),
  not_held_since TIMESTAMPTZ(3),
  tested_at TIMESTAMPTZ(3)[] NOT NULL DEFAULT '{}',
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  notify_integration_ids TEXT[] NOT NULL DEFAULT '{}',
  CONSTRAINT alert_rules_disabled_check CHECK (enabled OR state = 'ok'),
  CONSTRAINT alert_rules_pending_check CHECK ((state = 'pending') = (pending_since IS NOT NULL))
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX alert_rules_metric_idx ON alert_rules (metric);
CREATE INDEX alert_rules_organization_id_id_idx ON alert_rules (organization_id, id DESC);

CREATE TABLE alerts (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL,
  project_id TEXT,
  alert_rule_id TEXT NOT NULL,
  rule JSONB NOT NULL,
  state TEXT NOT NULL DEFAULT 'firing' CHECK (state IN ('firing', 'resolved')),
  severity TEXT NOT NULL,
  observed BIGINT NOT NULL,
  peak BIGINT NOT NULL,
  period_key TEXT,
  window_started_at TIMESTAMPTZ(3) NOT NULL,
  fired_at TIMESTAMPTZ(3) NOT NULL,
  resolved_at TIMESTAMPTZ(3),
  resolve_reason TEXT,
  acknowledged_by TEXT,
  acknowledged_at TIMESTAMPTZ(3),
  told_count INTEGER NOT NULL DEFAULT 0,
  last_told_at TIMESTAMPTZ(3),
  CONSTRAINT alerts_resolved_check CHECK ((state = 'resolved') = (resolved_at IS NOT NULL AND resolve_reason IS NOT NULL))
);
-- One open alert a rule, whoever evaluates it.
CREATE UNIQUE INDEX alerts_open_key ON alerts (alert_rule_id) WHERE state = 'firing';
CREATE INDEX alerts_alert_rule_id_id_idx ON alerts (alert_rule_id, id);
CREATE INDEX alerts_organization_id_id_idx ON alerts (organization_id, id);
CREATE INDEX alerts_resolved_at_idx ON alerts (resolved_at);

CREATE TABLE alert_ticks (
  metric TEXT PRIMARY KEY,
  due_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  lease_until TIMESTAMPTZ(3),
  fence BIGINT NOT NULL DEFAULT 0
);
INSERT INTO alert_ticks (metric) VALUES
  ('spend_nanos'), ('request_count'), ('error_rate_bps'), ('latency_p95_ms'), ('ttft_p95_ms'), ('wallet_available_nanos'),
  ('wallet_runway_hours'), ('budget_consumed_bps'), ('delivery_failures'), ('circuit_open_seconds');

CREATE TABLE incidents (
  id TEXT PRIMARY KEY,
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
  -- The same incident is not opened twice by an operator's retry.
  idempotency_key TEXT,
  idempotency_hash TEXT,
  CHECK ((state = 'resolved') = (resolved_at IS NOT NULL)),
  CHECK ((source = 'automatic') = (subject_kind IS NOT NULL)),
  CHECK ((subject_kind IS NULL) = (subject_name IS NULL)),
  CHECK (told_count <= update_count)
);
-- One open automatic incident a subject.
CREATE UNIQUE INDEX incidents_open_subject ON incidents (subject_kind, subject_name) WHERE subject_kind IS NOT NULL AND state <> 'resolved';
-- What the workers have to do.
CREATE INDEX incidents_due ON incidents (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE incident_updates (
  incident_id TEXT NOT NULL REFERENCES incidents (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  number INTEGER NOT NULL,
  at TIMESTAMPTZ(3) NOT NULL,
  state TEXT NOT NULL,
  severity TEXT NOT NULL,
  components TEXT[],
  providers TEXT[],
  models TEXT[],
  message TEXT NOT NULL,
  PRIMARY KEY (incident_id, number)
);

CREATE TABLE incident_organizations (
  incident_id TEXT NOT NULL REFERENCES incidents (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  organization_id TEXT NOT NULL,
  affected_since TIMESTAMPTZ(3) NOT NULL,
  told_count INTEGER NOT NULL,
  PRIMARY KEY (incident_id, organization_id)
);
CREATE INDEX incident_organizations_organization_id_incident_id_idx ON incident_organizations (organization_id, incident_id);

-- One row: whoever has locked it judges the circuits.
CREATE TABLE incident_watch (
  id SMALLINT PRIMARY KEY,
  checked_at TIMESTAMPTZ(3)
);
INSERT INTO incident_watch (id) VALUES (1);

-- ==== Exports ====
-- docs/decisions/0041.

CREATE TABLE exports (
  id TEXT PRIMARY KEY,
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
  state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'completed', 'failed', 'cancelled', 'expired')),
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
  CONSTRAINT exports_completed_check CHECK (state NOT IN ('completed', 'expired') OR sha256 IS NOT NULL),
  CONSTRAINT exports_ended_check CHECK ((state IN ('queued', 'running')) = (ended_at IS NULL)),
  CONSTRAINT exports_failure_check CHECK ((state = 'failed') = (failure_code IS NOT NULL))
);
-- One runs an organization.
CREATE UNIQUE INDEX exports_running_key ON exports (organization_id) WHERE state = 'running';
-- What workers look for, each a few rows of all that are kept.
CREATE INDEX exports_deleted_idx ON exports (id) WHERE deleted_at IS NOT NULL AND NOT stored;
CREATE INDEX exports_ended_at_idx ON exports (ended_at) WHERE NOT stored;
CREATE INDEX exports_expires_at_idx ON exports (expires_at) WHERE state = 'completed';
CREATE INDEX exports_leftover_idx ON exports (id) WHERE stored AND (state IN ('failed', 'cancelled', 'expired') OR deleted_at IS NOT NULL);
CREATE INDEX exports_open_idx ON exports (id) WHERE state IN ('queued', 'running');
CREATE INDEX exports_organization_id_id_idx ON exports (organization_id, id DESC);
CREATE INDEX exports_uncounted_idx ON exports (id) WHERE NOT counted AND ended_at IS NOT NULL;

CREATE TABLE export_parts (
  export_id TEXT NOT NULL REFERENCES exports (id) ON UPDATE CASCADE ON DELETE CASCADE,
  number INTEGER NOT NULL,
  etag TEXT NOT NULL,
  stored_bytes INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  PRIMARY KEY (export_id, number)
);

-- ==== Fine-tuning ====
-- docs/decisions/0046, 0047 and 0048.

CREATE TABLE training_files (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL,
  project_id TEXT,
  filename TEXT NOT NULL,
  bytes BIGINT NOT NULL DEFAULT 0,
  line_count INTEGER NOT NULL DEFAULT 0,
  token_count BIGINT NOT NULL DEFAULT 0,
  state TEXT NOT NULL DEFAULT 'uploading' CHECK (state IN ('uploading', 'processed')),
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
  CONSTRAINT training_files_expires_check CHECK (state = 'uploading' OR expires_at IS NOT NULL),
  CONSTRAINT training_files_upload_check CHECK ((state = 'uploading') = (upload_until IS NOT NULL))
);
-- What workers look for, each a few rows of all that are kept.
CREATE INDEX training_files_deleted_idx ON training_files (id) WHERE deleted_at IS NOT NULL;
CREATE INDEX training_files_expires_at_idx ON training_files (expires_at) WHERE deleted_at IS NULL;
CREATE INDEX training_files_organization_id_id_idx ON training_files (organization_id, id DESC);
CREATE INDEX training_files_upload_until_idx ON training_files (upload_until) WHERE state = 'uploading';

CREATE TABLE fine_tuning_jobs (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL,
  project_id TEXT,
  api_key_id TEXT,
  creator_type TEXT NOT NULL,
  creator_id TEXT NOT NULL,
  model TEXT NOT NULL,
  training_file_id TEXT NOT NULL,
  validation_file_id TEXT,
  suffix TEXT,
  seed BIGINT,
  metadata JSONB,
  hyperparameters JSONB NOT NULL,
  provider TEXT NOT NULL,
  upstream_model TEXT NOT NULL,
  region TEXT NOT NULL,
  credential_id TEXT,
  price_per_token_femtos BIGINT NOT NULL CHECK (price_per_token_femtos >= 0),
  epochs INTEGER NOT NULL CHECK (epochs > 0),
  held_nanos BIGINT NOT NULL CHECK (held_nanos >= 0),
  charged_nanos BIGINT NOT NULL DEFAULT 0 CHECK (charged_nanos >= 0),
  model_name TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'validating_files'
    CHECK (state IN ('validating_files', 'queued', 'running', 'succeeded', 'failed', 'cancelled')),
  upstream_training_file TEXT,
  upstream_validation_file TEXT,
  upstream_job TEXT,
  trained_tokens BIGINT CHECK (trained_tokens >= 0),
  trained_epochs INTEGER,
  failure_code TEXT,
  failure_message TEXT,
  estimated_finish_at TIMESTAMPTZ(3),
  cancel_requested_at TIMESTAMPTZ(3),
  cancelled_by TEXT,
  unreachable_since TIMESTAMPTZ(3),
  last_upstream_event TEXT,
  due_at TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  lease_until TIMESTAMPTZ(3),
  failures INTEGER NOT NULL DEFAULT 0,
  fence BIGINT NOT NULL DEFAULT 0,
  idempotency_key TEXT,
  idempotency_hash TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  started_at TIMESTAMPTZ(3),
  ended_at TIMESTAMPTZ(3),
  CONSTRAINT fine_tuning_jobs_charged_check CHECK (charged_nanos = 0 OR ended_at IS NOT NULL AND charged_nanos <= held_nanos),
  -- An open job is never forgotten.
  CONSTRAINT fine_tuning_jobs_due_check CHECK (due_at IS NOT NULL OR ended_at IS NOT NULL),
  CONSTRAINT fine_tuning_jobs_ended_check CHECK ((state IN ('succeeded', 'failed', 'cancelled')) = (ended_at IS NOT NULL)),
  CONSTRAINT fine_tuning_jobs_failed_check CHECK ((state = 'failed') = (failure_code IS NOT NULL))
);
CREATE UNIQUE INDEX fine_tuning_jobs_model_name_key ON fine_tuning_jobs (model_name);
-- What the workers have to do, and which jobs of an organization are open.
CREATE INDEX fine_tuning_jobs_due ON fine_tuning_jobs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX fine_tuning_jobs_idempotency ON fine_tuning_jobs (organization_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX fine_tuning_jobs_open ON fine_tuning_jobs (organization_id) WHERE ended_at IS NULL;
CREATE INDEX fine_tuning_jobs_organization_id_id_idx ON fine_tuning_jobs (organization_id, id DESC);

CREATE TABLE fine_tuning_job_events (
  job_id TEXT NOT NULL REFERENCES fine_tuning_jobs (id) ON UPDATE CASCADE ON DELETE CASCADE,
  number INTEGER NOT NULL,
  upstream_event TEXT,
  level TEXT NOT NULL CHECK (level IN ('info', 'warn', 'error')),
  type TEXT NOT NULL CHECK (type IN ('message', 'metrics')),
  message TEXT NOT NULL,
  metrics JSONB,
  created_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (job_id, number)
);
CREATE UNIQUE INDEX fine_tuning_job_events_job_id_upstream_event_key ON fine_tuning_job_events (job_id, upstream_event);

CREATE TABLE fine_tuning_checkpoints (
  job_id TEXT NOT NULL REFERENCES fine_tuning_jobs (id) ON UPDATE CASCADE ON DELETE CASCADE,
  number INTEGER NOT NULL,
  upstream_checkpoint TEXT NOT NULL,
  step_number INTEGER NOT NULL,
  metrics JSONB NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (job_id, number)
);
CREATE UNIQUE INDEX fine_tuning_checkpoints_job_id_upstream_checkpoint_key ON fine_tuning_checkpoints (job_id, upstream_checkpoint);

CREATE TABLE fine_tuning_creators (
  creator TEXT PRIMARY KEY CHECK (creator ~ '^ft-[a-z]{8}$'),
  organization_id TEXT NOT NULL
);
CREATE UNIQUE INDEX fine_tuning_creators_organization_id_key ON fine_tuning_creators (organization_id);

CREATE TABLE fine_tuned_models (
  name TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL,
  project_id TEXT,
  job_id TEXT NOT NULL,
  base_model TEXT NOT NULL,
  provider TEXT NOT NULL,
  upstream_model TEXT NOT NULL,
  region TEXT NOT NULL,
  credential_id TEXT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  deleted_at TIMESTAMPTZ(3),
  due_at TIMESTAMPTZ(3),
  lease_until TIMESTAMPTZ(3),
  fence BIGINT NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT fine_tuned_models_due_check CHECK (due_at IS NULL OR deleted_at IS NOT NULL)
);
CREATE UNIQUE INDEX fine_tuned_models_job_id_key ON fine_tuned_models (job_id);
CREATE INDEX fine_tuned_models_due ON fine_tuned_models (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX fine_tuned_models_organization_id_name_idx ON fine_tuned_models (organization_id, name);

CREATE TABLE fine_tuning_endpoints (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL,
  project_id TEXT,
  model TEXT NOT NULL,
  hardware TEXT NOT NULL,
  idle_stop_minutes INTEGER NOT NULL CHECK (idle_stop_minutes BETWEEN 1 AND 1440),
  max_hours_hundredths INTEGER NOT NULL CHECK (max_hours_hundredths BETWEEN 1 AND 72000),
  max_spend_nanos BIGINT CHECK (max_spend_nanos > 0),
  creator_id TEXT NOT NULL,
  last_run INTEGER NOT NULL DEFAULT 0,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  deleted_at TIMESTAMPTZ(3)
);
-- One a model.
CREATE UNIQUE INDEX fine_tuning_endpoints_one_a_model ON fine_tuning_endpoints (model) WHERE deleted_at IS NULL;
CREATE INDEX fine_tuning_endpoints_organization_id_id_idx ON fine_tuning_endpoints (organization_id, id DESC);

CREATE TABLE fine_tuning_endpoint_runs (
  id TEXT PRIMARY KEY,
  endpoint_id TEXT NOT NULL REFERENCES fine_tuning_endpoints (id) ON UPDATE CASCADE ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number > 0),
  organization_id TEXT NOT NULL,
  project_id TEXT,
  api_key_id TEXT,
  model TEXT NOT NULL,
  provider TEXT NOT NULL,
  upstream_model TEXT NOT NULL,
  region TEXT NOT NULL,
  credential_id TEXT,
  hardware TEXT NOT NULL,
  start_timeout_ms INTEGER NOT NULL CHECK (start_timeout_ms > 0),
  price_per_hour_nanos BIGINT NOT NULL CHECK (price_per_hour_nanos >= 0),
  slice_seconds INTEGER NOT NULL CHECK (slice_seconds > 0),
  state TEXT NOT NULL DEFAULT 'starting' CHECK (state IN ('starting', 'running', 'stopping', 'stopped', 'failed')),
  stop_reason TEXT,
  hold_refusal TEXT CHECK (hold_refusal IN ('budget', 'wallet_empty')),
  requested_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  running_since TIMESTAMPTZ(3),
  last_seen_at TIMESTAMPTZ(3),
  stopped_serving_at TIMESTAMPTZ(3),
  ended_at TIMESTAMPTZ(3),
  upstream_endpoint TEXT,
  inference_model TEXT,
  removed_at TIMESTAMPTZ(3),
  running_seconds INTEGER NOT NULL DEFAULT 0 CHECK (running_seconds >= 0),
  unmetered_seconds INTEGER NOT NULL DEFAULT 0 CHECK (unmetered_seconds >= 0),
  charged_nanos BIGINT NOT NULL DEFAULT 0 CHECK (charged_nanos >= 0),
  due_at TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  lease_until TIMESTAMPTZ(3),
  fence BIGINT NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  idempotency_key TEXT,
  -- What may be up at the provider is never forgotten.
  CONSTRAINT fine_tuning_endpoint_runs_due_check CHECK (due_at IS NOT NULL OR removed_at IS NOT NULL),
  CONSTRAINT fine_tuning_endpoint_runs_ended_check CHECK ((state IN ('stopped', 'failed')) = (ended_at IS NOT NULL)),
  CONSTRAINT fine_tuning_endpoint_runs_reason_check CHECK ((state IN ('stopping', 'stopped', 'failed')) = (stop_reason IS NOT NULL)),
  CONSTRAINT fine_tuning_endpoint_runs_running_check CHECK (state <> 'running' OR running_since IS NOT NULL AND inference_model IS NOT NULL)
);
CREATE UNIQUE INDEX fine_tuning_endpoint_runs_endpoint_id_number_key ON fine_tuning_endpoint_runs (endpoint_id, number);
-- One at a time of an endpoint, and which of an organization are up.
CREATE UNIQUE INDEX fine_tuning_endpoint_runs_one_up ON fine_tuning_endpoint_runs (endpoint_id) WHERE ended_at IS NULL;
CREATE INDEX fine_tuning_endpoint_runs_due ON fine_tuning_endpoint_runs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX fine_tuning_endpoint_runs_idempotency ON fine_tuning_endpoint_runs (organization_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX fine_tuning_endpoint_runs_up ON fine_tuning_endpoint_runs (organization_id) WHERE ended_at IS NULL;

CREATE TABLE fine_tuning_endpoint_slices (
  run_id TEXT NOT NULL REFERENCES fine_tuning_endpoint_runs (id) ON UPDATE CASCADE ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number > 0),
  from_second INTEGER NOT NULL CHECK (from_second >= 0),
  seconds INTEGER NOT NULL CHECK (seconds > 0),
  held_nanos BIGINT NOT NULL CHECK (held_nanos >= 0),
  used_seconds INTEGER,
  charged_nanos BIGINT,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  settled_at TIMESTAMPTZ(3),
  PRIMARY KEY (run_id, number),
  CHECK (used_seconds BETWEEN 0 AND seconds),
  CHECK (charged_nanos BETWEEN 0 AND held_nanos),
  CONSTRAINT fine_tuning_endpoint_slices_settled_check
    CHECK ((settled_at IS NULL) = (charged_nanos IS NULL) AND (settled_at IS NULL) = (used_seconds IS NULL))
);
