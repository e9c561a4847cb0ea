-- Gives each end user of these calls who has none a row in the usage of today, up to end_users_per_day of an organization. Settlements add
-- the calls of all others to '(other)'. Its caller has locked the wallets, so no two of these count the end users of one organization at once.
CREATE OR REPLACE FUNCTION book_end_users(batch jsonb, held bigint[]) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  today CONSTANT date := (now() AT TIME ZONE 'UTC')::date;
BEGIN
  WITH new_users AS (
    SELECT b.organization_id, b.end_user_id, (array_agg(coalesce(b.project_id, '') ORDER BY b.ordinal))[1] AS project_id,
      min(b.ordinal) AS first_at, max(b.end_users_per_day) AS named_max
    FROM ROWS FROM (jsonb_to_recordset(batch) AS (organization_id text, project_id text, end_user_id text, end_users_per_day int),
        unnest(held))
      WITH ORDINALITY AS b (organization_id, project_id, end_user_id, end_users_per_day, held, ordinal)
    WHERE b.end_user_id IS NOT NULL AND b.held IS NOT NULL AND NOT EXISTS (
      SELECT FROM usage_end_users u
      WHERE u.organization_id = b.organization_id AND u.end_user_id = b.end_user_id AND u.day = today)
    GROUP BY 1, 2
  ), placed AS (
    SELECT n.*, coalesce(d.named, 0) + row_number() OVER (PARTITION BY n.organization_id ORDER BY n.first_at) AS place
    FROM new_users n LEFT JOIN end_user_days d ON d.organization_id = n.organization_id AND d.day = today
  ), named AS (
    INSERT INTO usage_end_users (organization_id, end_user_id, day, project_id)
    SELECT organization_id, end_user_id, today, project_id FROM placed WHERE place <= named_max
    RETURNING organization_id
  )
  INSERT INTO end_user_days AS d (organization_id, day, named)
  SELECT organization_id, today, count(*) FROM named GROUP BY 1
  ON CONFLICT (organization_id, day) DO UPDATE SET named = d.named + excluded.named;
END
$$;
