-- The settings under which these are planned are those of the connection that books (libs/persistence database): as settings of the
-- functions they were set and taken back three times a batch, a quarter of a call that is alone. What is left is
-- settle_requests' own: see 20261122090300_settle_in_its_month.
ALTER FUNCTION open_holds(jsonb) RESET ALL;
ALTER FUNCTION book_calls(jsonb, jsonb) RESET ALL;
ALTER FUNCTION settle_requests(jsonb) RESET ALL;
ALTER FUNCTION settle_requests(jsonb) SET enable_indexscan = off;
