-- At most one live playground key of each user in an organization.
CREATE UNIQUE INDEX CONCURRENTLY api_keys_live_playground ON api_keys (organization_id, created_by)
  WHERE purpose = 'playground' AND state = 'active';
