-- What was charged in a month, and when last.
CREATE INDEX CONCURRENTLY payments_auto ON payments (organization_id, created_at) WHERE kind = 'auto';
