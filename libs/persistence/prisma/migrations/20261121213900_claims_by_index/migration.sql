-- What is asked of a claim is always a few rows by an index. With half a million deliveries of one endpoint in its
-- statistics the planner thought otherwise, and read all of them for each claim.
ALTER FUNCTION claim_deliveries(int, int) SET enable_seqscan = off;
ALTER FUNCTION claim_deliveries(int, int) SET enable_hashjoin = off;
ALTER FUNCTION claim_deliveries(int, int) SET enable_mergejoin = off;
