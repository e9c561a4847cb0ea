-- What actor and target were called when the entry was written. Entries from before have none.
ALTER TABLE "audit_entries" ADD COLUMN "actor_label" TEXT, ADD COLUMN "target_label" TEXT;
