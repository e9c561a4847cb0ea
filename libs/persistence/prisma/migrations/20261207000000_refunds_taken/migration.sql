-- When the provider took the refund. It is requested until the provider's totals have it.
ALTER TABLE "payment_refunds" ADD COLUMN "accepted_at" TIMESTAMPTZ(3);
