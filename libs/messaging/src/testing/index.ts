export { InMemoryParking } from './in-memory-parking';
export { KafkaServer } from './kafka-server';
