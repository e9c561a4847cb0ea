import { defineEvent } from './define-event';
import {
  code,
  count,
  idOf,
  listOf,
  name,
  nanosAmount,
  object,
  oneOf,
  orNull,
  secretLast4,
  timestamp,
  webhookUrl,
} from './event-fields';

const incident = {
  incident_id: idOf('incident'),
  state: oneOf('investigating', 'identified', 'monitoring', 'resolved'),
  severity: oneOf('minor', 'major', 'critical'),
  components: listOf(code('inference')),
  started_at: timestamp(),
  title: name('The provider acme is failing'),
  source: oneOf('operator', 'automatic'),
  providers: listOf(name('acme')),
  models: listOf(name('acme/small')),
};

const trainedTokens = count(1_250_000);
const fineTuningJob = {
  fine_tuning_job_id: idOf('fineTuningJob'),
  base_model: name('acme/small'),
  trained_tokens: trainedTokens,
  charged_nanos: nanosAmount(10_000_000_000),
};

const fineTuningEndpoint = {
  fine_tuning_endpoint_id: idOf('fineTuningEndpoint'),
  model: name('acme/small-tuned'),
};

const webhookEndpoint = {
  endpoint_id: idOf('webhookEndpoint'),
  url: webhookUrl(),
  event_types: listOf(code('credential.*')),
  secret_last4: secretLast4(),
  state: oneOf('active', 'failing', 'paused', 'disabled'),
};

/** Events of alerts, incidents, fine-tuning and webhook endpoints, but for their test. */
export const operationEvents = {
  'alert.fired': defineEvent('an alert rule fired', {
    alert_rule_id: idOf('alertRule'),
    alert_id: idOf('alert'),
    name: name('Error rate'),
    metric: code('error_rate_bps'),
    severity: oneOf('info', 'warning', 'critical'),
    threshold: count(500),
    observed: count(730),
    window_started_at: timestamp(),
    window_ended_at: timestamp(),
    filter: object({
      project_id: orNull(idOf('project')),
      api_key_id: orNull(idOf('apiKey')),
      model: orNull(name('acme/small')),
      provider: orNull(name('acme')),
      budget_id: orNull(idOf('budget')),
      webhook_endpoint_id: orNull(idOf('webhookEndpoint')),
      integration_id: orNull(idOf('integration')),
    }),
    /** How many times this alert was told before. */
    repeat: count(0),
  }),

  'incident.opened': defineEvent('a platform incident began to affect the organization', incident),
  'incident.updated': defineEvent('a platform incident that affects the organization changed', incident),
  'incident.resolved': defineEvent('a platform incident that affected the organization ended', {
    ...incident,
    resolved_at: timestamp(),
  }),

  'fine_tuning.job.succeeded': defineEvent('a fine-tuning job finished with a model', {
    ...fineTuningJob,
    fine_tuned_model: name('ft-qwertyui/small-support-asdfgh'),
  }),
  'fine_tuning.job.failed': defineEvent('a fine-tuning job failed', {
    ...fineTuningJob,
    /** Null: nothing was charged. */
    trained_tokens: orNull(trainedTokens),
    failure_code: code('provider_error'),
  }),
  'fine_tuning.job.cancelled': defineEvent('a fine-tuning job was cancelled', {
    ...fineTuningJob,
    /** Null: somebody cancelled it at the provider. */
    cancelled_by: orNull(idOf('user', 'apiKey')),
  }),
  'fine_tuning.endpoint.running': defineEvent(
    'the endpoint of a fine-tuned model is running',
    fineTuningEndpoint,
  ),
  'fine_tuning.endpoint.stopped': defineEvent('the endpoint of a fine-tuned model stopped', {
    ...fineTuningEndpoint,
    /** user, idle, max_hours, budget, wallet_empty, and others to come. */
    reason: code('idle'),
    /** Of the run. */
    running_seconds: count(1_830),
    charged_nanos: nanosAmount(1_250_000_000),
  }),

  'webhook.endpoint_created': defineEvent('a webhook endpoint was created', webhookEndpoint),
  'webhook.endpoint_updated': defineEvent('a webhook endpoint was changed', webhookEndpoint),
  'webhook.endpoint_deleted': defineEvent('a webhook endpoint was deleted', webhookEndpoint),
  'webhook.secret_rotated': defineEvent('a webhook endpoint has a new signing secret', webhookEndpoint),
  'webhook.endpoint_disabled': defineEvent(
    'an endpoint was disabled after 25 consecutive failures; the organization’s other endpoints are notified',
    {
      endpoint_id: webhookEndpoint.endpoint_id,
      url: webhookEndpoint.url,
      reason: oneOf('consecutive_failures'),
      consecutive_failures: count(25),
    },
  ),
};
