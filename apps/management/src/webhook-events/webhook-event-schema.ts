import { z } from 'zod';
import { eventCatalogue, eventJsonSchema, recordEvent, type EventData, type EventType } from '@svc/events';
import { webhookEventBody } from '../webhook-deliveries/webhook-delivery-schema';

export const webhookEventType = z
  .object({
    type: z
      .string()
      .meta({ description: 'The name of the event, as in `event_types`.', example: 'api_key.created' }),
    description: z.string().meta({ example: 'an API key was created' }),
    data_schema: z.record(z.string(), z.unknown()).meta({
      description: 'JSON Schema of the body’s `data`. Fields may be added.',
      example: { type: 'object', properties: { api_key_id: { type: 'string' } }, required: ['api_key_id'] },
    }),
    example: webhookEventBody,
  })
  .meta({ id: 'WebhookEventType' });

const EXAMPLE_ID = 'evt_06dpm2q4x8k3c0v9r7t5w1hzny';
const EXAMPLE_TIME_MS = Date.UTC(2026, 10, 20, 9, 30);

export function presentEventType(type: EventType, organizationId: string): z.input<typeof webhookEventType> {
  const { description, example } = eventCatalogue[type];
  // The compiler cannot match an example to its event's type; recording checks it against the schema.
  const data = example as EventData[typeof type];
  const { payload } = recordEvent(EXAMPLE_ID, type, organizationId, EXAMPLE_TIME_MS, data);
  return {
    type,
    description,
    data_schema: { ...eventJsonSchema(type) },
    example: JSON.parse(payload) as z.input<typeof webhookEventBody>,
  };
}
