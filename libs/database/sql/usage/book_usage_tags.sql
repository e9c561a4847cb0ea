-- The tags by which the usage of these calls is summed, one element for each call: its own, or '(other)' once its organization has 1,000
-- others today. Null for a call that has no tag, or holds nothing. Its caller has locked the wallets, so no two of these count the tags of one
-- organization at once.
CREATE OR REPLACE FUNCTION book_usage_tags(batch jsonb, held bigint[]) RETURNS text[] LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  today CONSTANT date := (now() AT TIME ZONE 'UTC')::date;
BEGIN
  WITH new_tags AS (
    SELECT b.organization_id, b.usage_tag AS tag, min(b.ordinal) AS first_at
    FROM ROWS FROM (jsonb_to_recordset(batch) AS (organization_id text, usage_tag text), unnest(held))
      WITH ORDINALITY AS b (organization_id, usage_tag, held, ordinal)
    WHERE b.usage_tag IS NOT NULL AND b.held IS NOT NULL AND NOT EXISTS (
      SELECT FROM usage_day_tags t WHERE t.organization_id = b.organization_id AND t.day = today AND t.tag = b.usage_tag)
    GROUP BY 1, 2
  ), known AS (
    SELECT o.organization_id, (
      SELECT count(*) FROM usage_day_tags t WHERE t.organization_id = o.organization_id AND t.day = today) AS tag_count
    FROM (SELECT DISTINCT organization_id FROM new_tags) o
  )
  INSERT INTO usage_day_tags (organization_id, day, tag)
  SELECT organization_id, today, tag
  FROM (
    SELECT n.organization_id, n.tag,
      k.tag_count + row_number() OVER (PARTITION BY n.organization_id ORDER BY n.first_at) AS place
    FROM new_tags n JOIN known k ON k.organization_id = n.organization_id
  ) placed
  WHERE place <= 1000;

  RETURN ARRAY(
    SELECT CASE
      WHEN b.usage_tag IS NULL OR b.held IS NULL THEN NULL
      WHEN EXISTS (
        SELECT FROM usage_day_tags t
        WHERE t.organization_id = b.organization_id AND t.day = today AND t.tag = b.usage_tag) THEN b.usage_tag
      ELSE '(other)' END
    FROM ROWS FROM (jsonb_to_recordset(batch) AS (organization_id text, usage_tag text), unnest(held))
      WITH ORDINALITY AS b (organization_id, usage_tag, held, ordinal)
    ORDER BY b.ordinal);
END
$$;
