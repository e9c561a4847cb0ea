import { z } from 'zod';
import { webhookEventBody } from '../webhook-deliveries/webhook-delivery-schema';

export const webhookEventType = z
  .object({
    type: z.string().meta({ description: 'What `event_types` takes.', example: 'api_key.created' }),
    description: z.string().meta({ example: 'an API key was created' }),
    data_schema: z.record(z.string(), z.unknown()).meta({
      description: 'JSON Schema of the body’s `data`. More fields may come.',
      example: { type: 'object', properties: { api_key_id: { type: 'string' } }, required: ['api_key_id'] },
    }),
    example: webhookEventBody,
  })
  .meta({ id: 'WebhookEventType' });
