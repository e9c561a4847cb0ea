-- Releases holds of which nobody knows whether they were opened: those that were are settled as the batch says, and the others are kept
-- from being opened. Either the wallet's lock comes here first, and the hold finds this out, or the hold's did, and this finds the hold.
CREATE OR REPLACE FUNCTION release_holds(batch jsonb, organizations text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_wallets(organizations, true);
  INSERT INTO released_holds (request_id)
  SELECT s.request_id FROM settle_calls(batch) s
  WHERE NOT s.settled AND NOT EXISTS (SELECT FROM request_records r WHERE r.id = s.request_id)
  ON CONFLICT DO NOTHING;
END
$$;
