-- An event that cannot be looked up is looked up again later, and given up after a day.
ALTER TABLE "provider_events" ADD COLUMN "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
ALTER TABLE "provider_events" ADD COLUMN "tries" SMALLINT NOT NULL DEFAULT 0;
ALTER TABLE "provider_events" DROP CONSTRAINT "provider_events_result_check";
ALTER TABLE "provider_events" ADD CONSTRAINT "provider_events_result"
  CHECK ("result" IN ('nudged', 'ignored', 'given_up')) NOT VALID;
