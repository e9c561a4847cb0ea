-- Searches the keys of one project, newest first, in one range.
CREATE INDEX CONCURRENTLY api_keys_project_id_id_idx ON api_keys (project_id, id DESC);
