CREATE UNIQUE INDEX CONCURRENTLY "invitations_mailed_secret_sha256_key" ON "invitations"("mailed_secret_sha256");
