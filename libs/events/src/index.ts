export { type EventData, type EventType, type ReconciliationReason } from './catalogue';
export { EVENT_API_VERSION, recordEvent, type RecordedEvent } from './event-envelope';
