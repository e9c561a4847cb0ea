-- For the version before, which runs beside this one.
CREATE OR REPLACE FUNCTION settle_requests(batch jsonb) RETURNS TABLE (request_id text, settled boolean)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  PERFORM 1 FROM wallets w
  WHERE w.organization_id = ANY (ARRAY(
    SELECT b.organization_id FROM jsonb_to_recordset(batch) AS b (organization_id text)))
  ORDER BY w.organization_id FOR UPDATE;
  RETURN QUERY SELECT s.request_id, s.settled FROM settle_calls(batch) s;
END
$$;
