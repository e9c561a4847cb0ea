import { describeEvents } from './event-transport.contract';
import { KafkaEventClient } from './kafka/kafka-event-client';
import { KafkaEventServer } from './kafka/kafka-event-server';
import { kafkaOptions, TestedTransport } from './testing';

describeEvents('over Kafka', (parking) => {
  const kafka = kafkaOptions(parking);
  return new TestedTransport(new KafkaEventServer(kafka), new KafkaEventClient(kafka));
});
