-- For the count of those that wait, and the oldest of them: resolved ones are kept.
CREATE INDEX CONCURRENTLY "parked_messages_waiting" ON "parked_messages" ("parked_at") WHERE "resolved_at" IS NULL;
