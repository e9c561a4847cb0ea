import { describeCalls } from './call-transport.contract';
import { KafkaCallClient } from './kafka/kafka-call-client';
import { KafkaEventClient } from './kafka/kafka-event-client';
import { KafkaEventServer } from './kafka/kafka-event-server';
import { kafkaOptions, TestedTransport } from './testing';

describeCalls('over Kafka', (parking) => {
  const kafka = kafkaOptions(parking);
  const transport = new TestedTransport(new KafkaEventServer(kafka), new KafkaEventClient(kafka));
  return { transport, calls: new KafkaCallClient(kafka) };
});
