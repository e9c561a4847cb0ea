import { z } from 'zod';
import { id, presenter } from '@svc/api';
import { FIGURES_MAX, type WebhookFiguresRecord } from '@svc/deliveries/store';

const count = (description: string, example: number) =>
  z.int().min(0).max(FIGURES_MAX).meta({ description, example });

export const webhookFigures = z
  .object({
    endpoint_id: id('webhookEndpoint'),
    created_count: count('Deliveries of the last 24 hours.', 1_204),
    succeeded_count: count('Those of them that succeeded.', 1_190),
    dead_count: count('Those of them whose last attempt failed.', 3),
    waiting_count: count('Deliveries of any age that wait for their time, or for the endpoint.', 11),
    p95_duration_ms: z.int().min(0).nullable().meta({
      description:
        'Attempts to the newest 1,000 of them: 95 % took no longer. Null where no attempt was answered.',
      example: 184,
    }),
  })
  .meta({ id: 'WebhookFigures' });

export const presentFigures = presenter<typeof webhookFigures, WebhookFiguresRecord>(webhookFigures, {});
