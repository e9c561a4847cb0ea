-- Locks the wallets of these organizations (each named once) until the transaction ends. A batch that waited for one would keep the others
-- locked meanwhile, and so whoever wants those. It fails instead, and names the locked ones in its detail, unless it is told to wait.
CREATE OR REPLACE FUNCTION lock_wallets(organizations text[], waits boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  locked text[];
  busy text[];
BEGIN
  IF waits THEN
    PERFORM 1 FROM wallets w WHERE w.organization_id = ANY (organizations) ORDER BY w.organization_id FOR NO KEY UPDATE;
    RETURN;
  END IF;
  locked := ARRAY(
    SELECT w.organization_id FROM wallets w WHERE w.organization_id = ANY (organizations) FOR NO KEY UPDATE SKIP LOCKED);
  IF cardinality(locked) < cardinality(organizations) THEN
    busy := ARRAY(
      SELECT w.organization_id FROM wallets w
      WHERE w.organization_id = ANY (organizations) AND w.organization_id <> ALL (locked));
    IF cardinality(busy) > 0 THEN
      RAISE EXCEPTION 'wallets are locked' USING ERRCODE = 'lock_not_available', DETAIL = array_to_string(busy, ',');
    END IF;
  END IF;
END
$$;
