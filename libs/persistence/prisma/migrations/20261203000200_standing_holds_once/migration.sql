-- A standing hold is charged once.
CREATE UNIQUE INDEX CONCURRENTLY ledger_transfers_hold_id_kind_key ON ledger_transfers (hold_id, kind);
