-- The same incident is not opened twice by an operator's retry. Instant: the columns are empty.

ALTER TABLE incidents ADD COLUMN idempotency_key TEXT, ADD COLUMN idempotency_hash TEXT;
