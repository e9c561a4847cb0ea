ALTER TABLE "provider_events" VALIDATE CONSTRAINT "provider_events_result";
