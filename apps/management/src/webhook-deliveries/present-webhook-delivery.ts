import { type z } from 'zod';
import { type WebhookDeliveryRecord } from '@svc/persistence';
import { presentTime, presentTimeOrNull } from '@svc/platform/api';
import { type webhookDelivery, type webhookEventBody } from './webhook-delivery-schema';

export const presentWebhookDelivery = (record: WebhookDeliveryRecord): z.input<typeof webhookDelivery> => ({
  id: record.id,
  organization_id: record.organizationId,
  endpoint_id: record.endpointId,
  event_id: record.eventId,
  event_type: record.eventType,
  status: record.status,
  round: record.round,
  attempt_count: record.attemptCount,
  next_attempt_at: presentTimeOrNull(record.nextAttemptAt),
  attempts_log: record.attempts.map((attempt) => ({
    round: attempt.round,
    attempt: attempt.attempt,
    at: presentTime(attempt.startedAt),
    duration_ms: attempt.durationMs,
    status_code: attempt.statusCode,
    error: attempt.error,
    response_excerpt: attempt.responseExcerpt,
  })),
  payload: JSON.parse(record.payload) as z.input<typeof webhookEventBody>,
  created_at: presentTime(record.createdAt),
  updated_at: presentTime(record.updatedAt),
});
