-- The approval request that a change was made by. Null for all others, so no row is rewritten.
ALTER TABLE audit_entries ADD COLUMN approval_request_id TEXT;
