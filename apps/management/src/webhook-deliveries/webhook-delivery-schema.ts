import { z } from 'zod';
import { id, pointInTime, presenter, presentTime, timestamp } from '@svc/api';
import { EVENT_API_VERSION } from '@svc/events';
import { parseExactJson } from '@svc/kernel';
import {
  type DeliveryAttemptRecord,
  type WebhookDeliveryRecord,
  type WebhookDeliverySummaryRecord,
} from '@svc/deliveries/store';

const eventType = z.string().meta({ example: 'api_key.created' });

const status = z.enum(['queued', 'succeeded', 'failed', 'dead']).meta({
  description: 'A `failed` delivery is retried at `next_attempt_at`, a `dead` one only by hand.',
});

const round = z
  .int()
  .min(1)
  .meta({ description: 'Counts from 1. A retry by hand starts the next round.', example: 1 });

const deliveryAttempt = z
  .object({
    round,
    attempt: z.int().min(1).max(6).meta({ description: '1 to 6 within its round.', example: 1 }),
    at: timestamp(),
    duration_ms: z.int().min(0).nullable().meta({ example: 184 }),
    status_code: z.int().nullable().meta({ description: 'Null if no answer came.', example: 503 }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why no answer came; null if one did.', example: 'timeout' }),
    response_excerpt: z
      .string()
      .nullable()
      .meta({ description: 'The beginning of the answer’s body.', example: 'Service Unavailable' }),
  })
  .meta({ id: 'WebhookDeliveryAttempt' });

/** The body of a delivery (docs/reference/events.md#the-envelope). */
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

/** The subject of a delivery, and its state. */
export const deliveryFields = {
  event_id: id('event'),
  event_type: eventType,
  status,
  round,
  attempt_count: z
    .int()
    .min(0)
    .max(6)
    .meta({ description: 'Attempts of this round, one in flight included.', example: 1 }),
  next_attempt_at: timestamp().nullable().meta({
    description: 'When the next attempt is due, if its receiver is enabled then; null if none is due.',
  }),
  attempts_log: z.array(deliveryAttempt).meta({ description: 'Every ended attempt of every round.' }),
};

export const webhookDelivery = z
  .object({
    id: id('webhookDelivery'),
    organization_id: id('organization'),
    endpoint_id: id('webhookEndpoint'),
    ...deliveryFields,
    payload: webhookEventBody,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'WebhookDelivery', description: 'The delivery of one event to one endpoint.' });

/** A delivery in a list where only its state is asked for. */
const webhookDeliverySummary = webhookDelivery
  .omit({ payload: true, attempts_log: true })
  .meta({ id: 'WebhookDeliverySummary', description: 'A delivery without its body and its attempts.' });

/** An item of a list: by its `view`. */
export const listedDelivery = z.union([webhookDelivery, webhookDeliverySummary]);

export const deliveryFilters = {
  status: status.optional(),
  event_type: eventType.optional(),
  event_id: id('event').optional(),
  created_after: pointInTime().optional().meta({ description: 'Deliveries created then or later.' }),
  created_before: pointInTime().optional().meta({ description: 'Deliveries created earlier.' }),
};

/** Of the lists of webhooks. */
export const deliveryQuery = {
  ...deliveryFilters,
  view: z
    .enum(['full', 'summary'])
    .default('full')
    .meta({ description: '`summary` leaves out `payload` and `attempts_log`, and is faster.' }),
};

export const organizationDeliveryQuery = {
  endpoint_id: id('webhookEndpoint').optional(),
  ...deliveryQuery,
};

export const bulkRetry = z
  .strictObject({
    status: status
      .exclude(['queued'])
      .meta({ description: 'The current status of the deliveries.', example: 'dead' }),
    since: pointInTime().meta({ description: 'Deliveries created then or later.' }),
    until: pointInTime().optional().meta({ description: 'Deliveries created earlier; absent for no bound.' }),
  })
  .meta({ id: 'BulkRetry' });

export const bulkRetryResult = z
  .object({
    count: z
      .int()
      .min(0)
      .meta({ description: 'The number of deliveries that were queued again.', example: 118 }),
  })
  .meta({ id: 'BulkRetryResult' });

const presentAttempt = presenter<typeof deliveryAttempt, DeliveryAttemptRecord>(deliveryAttempt, {
  at: ({ startedAt }) => presentTime(startedAt),
});

/** The computed fields of deliveries to webhooks and to integrations. */
export const computedFields = {
  attempts_log: ({ attempts }: Pick<WebhookDeliveryRecord, 'attempts'>) => attempts.map(presentAttempt),
};

export const presentSummary = presenter<typeof webhookDeliverySummary, WebhookDeliverySummaryRecord>(
  webhookDeliverySummary,
  {},
);

export const presentWebhookDelivery = presenter<typeof webhookDelivery, WebhookDeliveryRecord>(
  webhookDelivery,
  {
    ...computedFields,
    payload: ({ payload }) => parseExactJson(payload) as z.input<typeof webhookEventBody>,
  },
);
