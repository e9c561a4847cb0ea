-- Settles calls as the batch says whose edge is lost, as it is seen here: a renewal of its lease waits for this, or has been made.
-- Organizations whose wallet is locked are left for the next time. Returns what was closed.
CREATE OR REPLACE FUNCTION close_abandoned_calls(batch jsonb) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  locked text[];
  lost jsonb;
BEGIN
  locked := ARRAY(
    SELECT w.organization_id FROM wallets w
    WHERE w.organization_id IN (SELECT b.organization_id FROM jsonb_to_recordset(batch) AS b (organization_id text))
    FOR NO KEY UPDATE SKIP LOCKED);
  PERFORM 1 FROM edge_instances e
  WHERE e.id IN (
    SELECT r.edge_instance_id
    FROM jsonb_to_recordset(batch) AS b (request_id text) JOIN request_records r ON r.id = b.request_id)
  ORDER BY e.id FOR SHARE;
  lost := (
    SELECT jsonb_agg(b.call)
    FROM jsonb_array_elements(batch) AS b (call) JOIN request_records r ON r.id = b.call ->> 'request_id'
    WHERE b.call ->> 'organization_id' = ANY (locked) AND edge_is_lost(r.edge_instance_id));
  IF lost IS NOT NULL THEN
    RETURN QUERY SELECT s.request_id FROM settle_calls(lost) s WHERE s.settled;
  END IF;
END
$$;
