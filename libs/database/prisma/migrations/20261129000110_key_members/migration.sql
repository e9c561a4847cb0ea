-- Whose spend a key is counted in by budgets of members: its maker's. A key that was made by a key has that key's, so keys are followed up
-- to the person who made the first one.
ALTER TABLE api_keys ADD COLUMN member_id TEXT;
-- contract: calls read keys and don't lock them, and keys are few: an organization has at most 10,000 live ones.
WITH RECURSIVE made AS (
  SELECT k.id, m.id AS member_id
  FROM api_keys k JOIN members m ON m.organization_id = k.organization_id AND m.user_id = k.created_by
  UNION
  SELECT k.id, made.member_id
  FROM made JOIN api_keys k ON k.created_by = made.id
)
UPDATE api_keys k SET member_id = made.member_id FROM made WHERE made.id = k.id;
