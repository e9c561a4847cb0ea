CREATE UNIQUE INDEX CONCURRENTLY "parked_messages_by_id"
  ON "parked_messages" (parked_message_id(parked_at, consumer, topic, partition, "offset"));
