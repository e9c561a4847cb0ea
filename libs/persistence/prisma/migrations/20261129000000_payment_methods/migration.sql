-- Cards that the payment provider keeps (docs/decisions/0045). Instant: the tables are new, the columns have constant defaults.

ALTER TABLE payments ADD COLUMN save_payment_method BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE payments ADD COLUMN payment_method_id TEXT;

CREATE TABLE payment_customers (
  organization_id TEXT NOT NULL,
  livemode BOOLEAN NOT NULL,
  provider_reference TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT payment_customers_pkey PRIMARY KEY (organization_id, livemode)
);

CREATE TABLE payment_methods (
  id TEXT NOT NULL,
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
  CONSTRAINT payment_methods_pkey PRIMARY KEY (id),
  CHECK (state NOT IN ('active', 'deleted')
    OR (provider_reference IS NOT NULL AND brand IS NOT NULL AND last4 IS NOT NULL AND exp_month IS NOT NULL AND exp_year IS NOT NULL))
);
CREATE INDEX payment_methods_organization_id_id_idx ON payment_methods (organization_id, id DESC);
CREATE INDEX payment_methods_setup_reference_idx ON payment_methods (setup_reference);
-- A card is kept once, whoever asks and however often.
CREATE UNIQUE INDEX payment_methods_provider_reference ON payment_methods (provider_reference) WHERE provider_reference IS NOT NULL;
CREATE INDEX payment_methods_due ON payment_methods (due_at) WHERE due_at IS NOT NULL;
