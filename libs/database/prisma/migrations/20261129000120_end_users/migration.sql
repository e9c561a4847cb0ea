-- Whom a call is for. The name is kept only where the policy's retention allows it.
ALTER TABLE request_records ADD COLUMN end_user_id TEXT, ADD COLUMN end_user TEXT;

-- What an end user used on a UTC day. The end_user_id is '(other)' for those who came after the first of a day.
CREATE TABLE usage_end_users (
  organization_id TEXT NOT NULL,
  end_user_id TEXT NOT NULL,
  day DATE NOT NULL,
  project_id TEXT NOT NULL,
  end_user TEXT,
  request_count BIGINT NOT NULL DEFAULT 0,
  failed_count BIGINT NOT NULL DEFAULT 0,
  cancelled_count BIGINT NOT NULL DEFAULT 0,
  input_tokens BIGINT NOT NULL DEFAULT 0,
  cached_input_tokens BIGINT NOT NULL DEFAULT 0,
  cache_write_tokens BIGINT NOT NULL DEFAULT 0,
  output_tokens BIGINT NOT NULL DEFAULT 0,
  reasoning_tokens BIGINT NOT NULL DEFAULT 0,
  customer_nanos BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, end_user_id, day, project_id)
) WITH (fillfactor = 90);
CREATE INDEX usage_end_users_organization_id_day_idx ON usage_end_users (organization_id, day);
CREATE INDEX usage_end_users_day_idx ON usage_end_users (day);

-- How many end users of an organization are named on a day: counting them each time would cost more than the call.
CREATE TABLE end_user_days (
  organization_id TEXT NOT NULL,
  day DATE NOT NULL,
  named INTEGER NOT NULL,
  PRIMARY KEY (organization_id, day)
);
CREATE INDEX end_user_days_day_idx ON end_user_days (day);

-- What the ids of an organization's end users are made with, sealed.
CREATE TABLE end_user_peppers (
  organization_id TEXT PRIMARY KEY REFERENCES organizations (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  pepper_ciphertext BYTEA NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
