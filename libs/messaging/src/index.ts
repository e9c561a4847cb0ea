export { type ConsumptionOptions } from './consumption/event-consumer';
export { type EventHandler, type EventRecord, type EventTransport } from './event-transport';
export { InProcessTransport } from './in-process/in-process-transport';
export { type KafkaSecurity } from './kafka/kafka-client';
export { KafkaTransport, type KafkaOptions } from './kafka/kafka-transport';
export { checkKafkaVariables, kafkaSettings, kafkaVariables } from './kafka/kafka-variables';
export {
  type MessageParking,
  type MessagePosition,
  type ParkedMessage,
  UnprocessableEvent,
} from './message-parking';
