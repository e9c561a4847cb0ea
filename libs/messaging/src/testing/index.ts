export { InMemoryParking } from './in-memory-parking';
export { KafkaServer } from './kafka-server';
export { TestedTransport } from './tested-transport';
