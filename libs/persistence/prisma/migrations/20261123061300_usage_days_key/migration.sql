-- Usage by a tag, 5 of 5: the primary key has the tag in it. Settlements find the index by its columns, so by either name.
--
-- contract: settle_calls of the migration before is what all versions call, and it needs the new key only. The block takes the lock from the
-- moment that nobody uses the table; where none comes within half a second, it lets settlements go on, and tries again.
DO $$
BEGIN
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
