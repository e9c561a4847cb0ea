import { type z } from 'zod';
import { isEnabledState } from '@svc/events';
import { type WebhookEndpointRecord } from '@svc/persistence';
import { presentTime, presentTimeOrNull } from '@svc/platform/api';
import { type issuedSigningSecret, type webhookEndpoint } from './webhook-endpoint-schema';
import { type IssuedSecret } from './webhook-endpoints';

export const presentWebhookEndpoint = (record: WebhookEndpointRecord): z.input<typeof webhookEndpoint> => ({
  id: record.id,
  organization_id: record.organizationId,
  url: record.url,
  description: record.description,
  event_types: [...record.eventTypes],
  enabled: isEnabledState(record.state),
  state: record.state,
  disabled_reason: record.disabledReason,
  consecutive_failures: record.consecutiveFailures,
  secret_last4: record.secretLast4,
  previous_secret_expires_at: presentTimeOrNull(record.previousSecretExpiresAt),
  created_at: presentTime(record.createdAt),
  updated_at: presentTime(record.updatedAt),
});

export const presentIssuedSecret = (
  { secret, record }: IssuedSecret,
  warning: string,
): z.input<typeof issuedSigningSecret> => ({
  signing_secret: secret,
  endpoint: presentWebhookEndpoint(record),
  warning,
});
