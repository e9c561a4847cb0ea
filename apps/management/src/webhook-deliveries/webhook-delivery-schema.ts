import { z } from 'zod';
import { EVENT_API_VERSION } from '@svc/events';
import { id, pointInTime, timestamp } from '@svc/platform/api';

const eventType = z.string().meta({ example: 'api_key.created' });

const status = z.enum(['queued', 'succeeded', 'failed', 'dead']).meta({
  description:
    'A `failed` one is sent again at `next_attempt_at`; a `dead` one only when it is retried by hand.',
});

const round = z.int().min(1).meta({ description: 'From 1; a retry by hand starts the next.', example: 1 });

const deliveryAttempt = z
  .object({
    round,
    attempt: z.int().min(1).max(6).meta({ description: '1 to 6 within its round.', example: 1 }),
    at: timestamp(),
    duration_ms: z.int().min(0).nullable().meta({ example: 184 }),
    status_code: z.int().nullable().meta({ description: 'Null where no answer came.', example: 503 }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why no answer came; null where one did.', example: 'timeout' }),
    response_excerpt: z
      .string()
      .nullable()
      .meta({ description: 'The beginning of the answer’s body.', example: 'Service Unavailable' }),
  })
  .meta({ id: 'WebhookDeliveryAttempt' });

/** The body of a delivery (interface.md, Event envelope). */
export const webhookEventBody = z
  .object({
    id: id('event'),
    type: eventType,
    created_at: timestamp(),
    api_version: z.string().meta({ example: EVENT_API_VERSION }),
    organization_id: id('organization'),
    data: z
      .record(z.string(), z.unknown())
      .meta({ example: { api_key_id: 'key_06dpm2q4x8k3c0v9r7t5w1hzny' } }),
  })
  .meta({ id: 'WebhookEventBody' });

export const webhookDelivery = z
  .object({
    id: id('webhookDelivery'),
    organization_id: id('organization'),
    endpoint_id: id('webhookEndpoint'),
    event_id: id('event'),
    event_type: eventType,
    status,
    round,
    attempt_count: z
      .int()
      .min(0)
      .max(6)
      .meta({ description: 'Attempts of this round, one in flight included.', example: 1 }),
    next_attempt_at: timestamp()
      .nullable()
      .meta({ description: 'When the next attempt is due, if the endpoint is enabled then; null for none.' }),
    attempts_log: z
      .array(deliveryAttempt)
      .meta({ description: 'Every attempt of every round that has ended.' }),
    payload: webhookEventBody,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'WebhookDelivery', description: 'One event on its way to one endpoint.' });

export const deliveryFilters = {
  status: status.optional(),
  event_type: eventType.optional(),
  created_after: pointInTime().optional().meta({ description: 'Those made then or later.' }),
  created_before: pointInTime().optional().meta({ description: 'Those made earlier.' }),
};

export const organizationDeliveryFilters = {
  endpoint_id: id('webhookEndpoint').optional(),
  ...deliveryFilters,
};

export const bulkRetry = z
  .strictObject({
    status: status.exclude(['queued']).meta({ description: 'Where they stand now.', example: 'dead' }),
    since: pointInTime().meta({ description: 'Those made then or later.' }),
    until: pointInTime().optional().meta({ description: 'Those made earlier; absent for all since.' }),
  })
  .meta({ id: 'BulkRetry' });

export const bulkRetryResult = z
  .object({ count: z.int().min(0).meta({ description: 'How many were queued again.', example: 118 }) })
  .meta({ id: 'BulkRetryResult' });
