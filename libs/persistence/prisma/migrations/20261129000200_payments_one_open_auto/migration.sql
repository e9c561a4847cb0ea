-- At most one automatic payment of an organization is open.
CREATE UNIQUE INDEX CONCURRENTLY payments_one_open_auto ON payments (organization_id)
  WHERE kind = 'auto' AND state IN ('created', 'pending', 'review');
