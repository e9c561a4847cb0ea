-- Usage by a tag, 2 of 5: '' for calls without one, so for all until now. Apart from the migration before: settlements lock this table and then
-- organizations, so a transaction that locks both in the other order would meet them in a deadlock.
--
-- contract: it takes the lock from the moment that nobody uses the table; where none comes within half a second, it lets settlements go on,
-- and tries again.
DO $$
BEGIN
  LOOP
    BEGIN
      SET LOCAL lock_timeout = '500ms';
      ALTER TABLE usage_days ADD COLUMN tag TEXT NOT NULL DEFAULT '';
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      PERFORM pg_sleep(2);
    END;
  END LOOP;
END
$$;
