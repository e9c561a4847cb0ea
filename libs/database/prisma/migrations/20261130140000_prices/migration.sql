-- What an organization pays, in basis points of the catalog's prices, on the platform's credentials and on its own. Null: the platform's default.
ALTER TABLE organizations
  ADD COLUMN price_bps INTEGER,
  ADD COLUMN own_credential_bps INTEGER,
  ADD CONSTRAINT organizations_prices_check
    CHECK (price_bps BETWEEN 0 AND 100000 AND own_credential_bps BETWEEN 0 AND 100000) NOT VALID;

-- What the organization's own account at the provider pays, and what budgets hold where that is not what the wallet holds.
ALTER TABLE request_records ADD COLUMN provider_nanos BIGINT NOT NULL DEFAULT 0, ADD COLUMN budget_held_nanos BIGINT;
ALTER TABLE standing_holds ADD COLUMN budget_held_nanos BIGINT;

-- Uncounted: the part of both costs that exceeded what budgets held. No budget counts it.
ALTER TABLE usage_days
  ADD COLUMN provider_nanos BIGINT NOT NULL DEFAULT 0, ADD COLUMN uncounted_nanos BIGINT NOT NULL DEFAULT 0;
ALTER TABLE usage_end_users
  ADD COLUMN provider_nanos BIGINT NOT NULL DEFAULT 0, ADD COLUMN uncounted_nanos BIGINT NOT NULL DEFAULT 0;
ALTER TABLE call_minutes ADD COLUMN provider_nanos BIGINT NOT NULL DEFAULT 0;
ALTER TABLE call_hours ADD COLUMN provider_nanos NUMERIC NOT NULL DEFAULT 0;

-- At which price a job and a slice were held. Those of the version before are charged at the catalog's.
ALTER TABLE fine_tuning_jobs ADD COLUMN price_bps INTEGER NOT NULL DEFAULT 10000;
ALTER TABLE fine_tuning_endpoint_slices ADD COLUMN price_bps INTEGER NOT NULL DEFAULT 10000;
