-- A payment is credited once.
CREATE UNIQUE INDEX CONCURRENTLY ledger_transfers_top_up ON ledger_transfers (payment_id) WHERE kind = 'top_up';
