-- What the worker has to collect.
CREATE INDEX CONCURRENTLY wallets_owed ON wallets (organization_id) WHERE owed_nanos > 0;
