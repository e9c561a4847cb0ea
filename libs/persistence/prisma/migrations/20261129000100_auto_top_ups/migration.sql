-- When wallets are topped up by themselves (docs/decisions/0045). Instant: the table is new.

CREATE TABLE auto_top_ups (
  organization_id TEXT NOT NULL,
  enabled BOOLEAN NOT NULL,
  threshold_nanos BIGINT NOT NULL CHECK (threshold_nanos >= 0),
  amount_nanos BIGINT NOT NULL CHECK (amount_nanos > 0 AND amount_nanos % 10000000 = 0),
  monthly_cap_nanos BIGINT NOT NULL CHECK (monthly_cap_nanos >= amount_nanos),
  payment_method_id TEXT,
  disabled_reason TEXT,
  failures SMALLINT NOT NULL DEFAULT 0,
  retry_at TIMESTAMPTZ(3),
  cap_told_month TEXT,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT auto_top_ups_pkey PRIMARY KEY (organization_id),
  CHECK (NOT enabled OR (payment_method_id IS NOT NULL AND disabled_reason IS NULL))
);
CREATE INDEX auto_top_ups_enabled ON auto_top_ups (organization_id) WHERE enabled;
