export { brokersOfThisRun } from './config';
export { InMemoryParking } from './in-memory-parking';
export { KafkaServer } from './kafka-server';
export { TestedTransport } from './tested-transport';
export { kafkaOptions, transportOptions } from './transport-options';
