-- Password resets, what a user is told of their sessions, and which addresses are proven.

ALTER TABLE "users"
  ADD COLUMN "email_verified_at" TIMESTAMPTZ(3),
  ADD COLUMN "last_seen_at" TIMESTAMPTZ(3);

ALTER TABLE "console_sessions"
  ADD COLUMN "user_agent" TEXT,
  ADD COLUMN "address" TEXT;

-- Its index is built CONCURRENTLY, in the next migration.
ALTER TABLE "invitations" ADD COLUMN "mailed_secret_sha256" BYTEA;

CREATE TABLE "password_resets" (
    "user_id" TEXT NOT NULL,
    "secret_sha256" BYTEA NOT NULL,
    "mailed" BOOLEAN NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "password_resets_pkey" PRIMARY KEY ("user_id")
);
CREATE UNIQUE INDEX "password_resets_secret_sha256_key" ON "password_resets"("secret_sha256");
CREATE INDEX "password_resets_expires_at_idx" ON "password_resets"("expires_at");
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
