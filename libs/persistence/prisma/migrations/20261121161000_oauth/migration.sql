-- A code is kept as long as anything that came of it: its replay must still be seen when it has long expired.
ALTER TABLE authorization_codes ADD COLUMN kept_until TIMESTAMPTZ(3);
UPDATE authorization_codes SET kept_until = expires_at;
ALTER TABLE authorization_codes
  ALTER COLUMN kept_until SET NOT NULL,
  ADD CHECK (octet_length(code_sha256) = 32),
  ADD CHECK (kept_until >= expires_at);
DROP INDEX authorization_codes_expires_at_idx;
CREATE INDEX authorization_codes_kept_until_idx ON authorization_codes (kept_until);

-- A revoked refresh token takes along all that came of its code, so nothing asks which one an access token came with.
ALTER TABLE access_tokens DROP COLUMN refresh_sha256;

ALTER TABLE refresh_tokens ADD CHECK (octet_length(refresh_sha256) = 32);
ALTER TABLE oauth_apps ADD CHECK (octet_length(client_secret_sha256) = 32);
ALTER TABLE oauth_grants ADD CHECK ((state = 'revoked') = (revoked_at IS NOT NULL));
ALTER TABLE signing_keys ADD CHECK ((state = 'retired') = (retired_at IS NOT NULL));

-- At most one key waits to sign.
CREATE UNIQUE INDEX signing_keys_one_next ON signing_keys (state) WHERE state = 'next';
