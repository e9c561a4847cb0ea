-- What a key is for, and which key took its place. Instant: no row is read or written.
ALTER TABLE api_keys
  ADD COLUMN purpose TEXT NOT NULL DEFAULT 'general',
  ADD COLUMN replaces TEXT,
  ADD COLUMN replaced_by TEXT;

-- A playground key is one user's, ends, and can only call models.
ALTER TABLE api_keys ADD CONSTRAINT api_keys_purpose CHECK (
  purpose = 'general'
  OR purpose = 'playground' AND created_by IS NOT NULL AND expires_at IS NOT NULL AND scopes = '{inference:invoke}'
) NOT VALID;
