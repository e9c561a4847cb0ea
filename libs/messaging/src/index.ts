export { type CallClient, type CallRecord, CALLS } from './call-record';
export { InProcessCallClient } from './in-process/in-process-call-client';
export { KafkaCallClient } from './kafka/kafka-call-client';
export { type ConsumptionOptions } from './consumption/event-consumer';
export { type EventBatchHandler, type EventHandler, type EventRecord, EVENTS } from './event-record';
export { InProcessEventClient } from './in-process/in-process-event-client';
export { InProcessEventServer } from './in-process/in-process-event-server';
export { type KafkaAddress, type KafkaSecurity } from './kafka/kafka-client';
export { KafkaEventClient } from './kafka/kafka-event-client';
export { KafkaEventServer } from './kafka/kafka-event-server';
export { checkKafkaVariables, kafkaSettings, kafkaVariables } from './kafka/kafka-variables';
export {
  type MessageParking,
  type MessagePosition,
  type ParkedMessage,
  UnprocessableEvent,
} from './message-parking';
export { type EventClient } from './strategy/event-client';
export { type EventServer } from './strategy/event-server';
