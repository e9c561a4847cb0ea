-- Several active credentials of a provider share its calls by their weights, within rates of their own.
ALTER TABLE provider_credentials
  ADD COLUMN weight INTEGER NOT NULL DEFAULT 100,
  ADD COLUMN rate_limit_rpm INTEGER,
  ADD COLUMN rate_limit_tpm INTEGER,
  ADD COLUMN health_epoch INTEGER NOT NULL DEFAULT 0,
  ADD CONSTRAINT provider_credentials_weight_check CHECK (weight BETWEEN 0 AND 1000) NOT VALID,
  ADD CONSTRAINT provider_credentials_rates_check CHECK (rate_limit_rpm >= 1 AND rate_limit_tpm >= 1) NOT VALID;

-- Until now the newest active credential of a provider got every call, so it alone keeps a weight.
-- contract: calls read credentials and don't lock them, and credentials are few: an organization has at most 1,000 live ones. The
-- version before knows no weights.
UPDATE provider_credentials c SET weight = 0
WHERE c.state IN ('active', 'disabled') AND c.id IS DISTINCT FROM (
  SELECT max(newest.id) FROM provider_credentials newest
  WHERE newest.organization_id = c.organization_id AND newest.provider = c.provider AND newest.state = 'active'
);

-- What edges last reported of credentials: of an organization's own by their ids, of the platform's by env:<provider>/<variable>.
CREATE TABLE credential_reports (
  credential TEXT NOT NULL,
  -- Empty: everywhere.
  endpoint_id TEXT NOT NULL,
  -- The edge that reported it.
  edge_instance_id TEXT NOT NULL,
  provider TEXT NOT NULL,
  health_epoch INTEGER NOT NULL,
  rest TEXT CHECK (rest IN ('rate_limit', 'forbidden', 'refused')),
  rest_until TIMESTAMPTZ(3),
  trial_at TIMESTAMPTZ(3),
  headroom_bps INTEGER CHECK (headroom_bps BETWEEN 0 AND 10000),
  headroom_until TIMESTAMPTZ(3),
  reported_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (credential, endpoint_id)
) WITH (fillfactor = 50);
