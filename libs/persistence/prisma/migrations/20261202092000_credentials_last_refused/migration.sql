-- When the provider last refused the credential, told once an hour.
ALTER TABLE "provider_credentials" ADD COLUMN "last_auth_failed_at" TIMESTAMPTZ(3);
