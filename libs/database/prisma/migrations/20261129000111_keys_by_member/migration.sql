-- What a member used is that of their keys.
CREATE INDEX CONCURRENTLY api_keys_member_id_idx ON api_keys (member_id);
