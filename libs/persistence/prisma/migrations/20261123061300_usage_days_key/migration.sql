-- Usage by a tag, 5 of 5: the primary key has the tag in it. Settlements find the index by its columns, so by either name.
--
-- contract: settle_calls of the migration before is what all versions call, and it needs the new key only. A settlement that began before it
-- still needs the old one: none takes as long as the block waits first, where there are any. The block takes the lock from the
-- moment that nobody uses the table; where none comes within half a second, it lets settlements go on, and tries again.
DO $$
BEGIN
  IF EXISTS (SELECT FROM usage_days) THEN
    PERFORM pg_sleep(5);
  END IF;
  LOOP
    BEGIN
      SET LOCAL lock_timeout = '500ms';
      ALTER TABLE usage_days DROP CONSTRAINT usage_days_pkey,
        ADD CONSTRAINT usage_days_pkey PRIMARY KEY USING INDEX usage_days_by_tag;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      PERFORM pg_sleep(2);
    END;
  END LOOP;
END
$$;
