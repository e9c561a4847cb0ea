-- What workers share has a lease and a fence (libs/persistence/src/database/leased-work.ts). Instant: the columns are null or constant.
ALTER TABLE approval_requests ADD COLUMN lease_until TIMESTAMPTZ(3);
ALTER TABLE fine_tuned_models ADD COLUMN lease_until TIMESTAMPTZ(3), ADD COLUMN fence BIGINT NOT NULL DEFAULT 0;
ALTER TABLE mails ADD COLUMN lease_until TIMESTAMPTZ(3), ADD COLUMN fence BIGINT NOT NULL DEFAULT 0;

-- contract: no version that uses it was released.
ALTER TABLE mails DROP COLUMN lease_id;
