-- Usage by a tag, 3 of 5: becomes the primary key. While both exist no call has a tag yet, so a row is in the way of both or of neither.
CREATE UNIQUE INDEX CONCURRENTLY usage_days_by_tag
  ON usage_days (organization_id, day, project_id, api_key_id, model, provider, tag);
