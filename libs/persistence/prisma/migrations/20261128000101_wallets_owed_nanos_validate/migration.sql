ALTER TABLE wallets VALIDATE CONSTRAINT wallets_owed_nanos;
