-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "address_refused_at" TIMESTAMPTZ(3),
ADD COLUMN     "allowed_ips" TEXT[];
