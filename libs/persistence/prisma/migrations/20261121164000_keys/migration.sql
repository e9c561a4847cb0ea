-- A project's keys are listed by themselves: for its own keys they are all there are.
CREATE INDEX api_keys_organization_id_project_id_id_idx ON api_keys (organization_id, project_id, id DESC);

-- A key's row is written each minute in which it is used: room on the page keeps the new version beside the old one.
ALTER TABLE api_keys SET (fillfactor = 80);
