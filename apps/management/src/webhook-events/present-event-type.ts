import { type z } from 'zod';
import { eventCatalogue, eventJsonSchema, recordEvent, type EventData, type EventType } from '@svc/events';
import { type webhookEventBody } from '../webhook-deliveries/webhook-delivery-schema';
import { type webhookEventType } from './webhook-event-schema';

const EXAMPLE_ID = 'evt_06dpm2q4x8k3c0v9r7t5w1hzny';
const EXAMPLE_TIME_MS = Date.UTC(2026, 10, 20, 9, 30);

export function presentEventType(type: EventType, organizationId: string): z.input<typeof webhookEventType> {
  const { description, example } = eventCatalogue[type];
  // The union of all events' examples is no event's own for the compiler; recording checks it against the schema.
  const data = example as EventData[typeof type];
  const { payload } = recordEvent(EXAMPLE_ID, type, organizationId, EXAMPLE_TIME_MS, data);
  return {
    type,
    description,
    data_schema: { ...eventJsonSchema(type) },
    example: JSON.parse(payload) as z.input<typeof webhookEventBody>,
  };
}
