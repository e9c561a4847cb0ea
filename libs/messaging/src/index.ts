export { type EventHandler, type EventRecord, type EventTransport } from './event-transport';
export { InProcessTransport } from './in-process-transport';
