import { z } from 'zod';
import { givenTime, id, line, name, presenter, timestamp } from '@svc/api';
import { alertMetrics } from '@svc/alerts';
import { isRole, roles } from '@svc/access';
import { type AlertRuleRecord } from '@svc/alerts/store';

export const RULES_MAX = 100;
const MEMBERS_MAX = 20;
const INTEGRATIONS_MAX = 10;
const DAY_SECONDS = 86_400;
const NAME_OF_CATALOG_MAX = 200;

const metric = z.enum(alertMetrics).meta({ description: 'What is observed.', example: 'error_rate_bps' });
const state = z.enum(['ok', 'pending', 'firing', 'no_data']);
const ofCatalog = (example: string) => line(NAME_OF_CATALOG_MAX).nullable().meta({ example });

const filterFields = {
  project_id: id('project').nullable(),
  api_key_id: id('apiKey').nullable(),
  model: ofCatalog('acme/small'),
  provider: ofCatalog('acme'),
  budget_id: id('budget').nullable(),
  webhook_endpoint_id: id('webhookEndpoint').nullable(),
  integration_id: id('integration').nullable(),
};
const alertFilter = z
  .object(filterFields)
  .meta({ id: 'AlertFilter', description: 'Narrows what is observed. Each metric takes some of them.' });
const newAlertFilter = z
  .strictObject({
    project_id: filterFields.project_id.default(null),
    api_key_id: filterFields.api_key_id.default(null),
    model: filterFields.model.default(null),
    provider: filterFields.provider.default(null),
    budget_id: filterFields.budget_id.default(null),
    webhook_endpoint_id: filterFields.webhook_endpoint_id.default(null),
    integration_id: filterFields.integration_id.default(null),
  })
  .meta({ id: 'NewAlertFilter', example: { model: 'acme/small' } });

const recipients = {
  roles: z
    .array(z.enum(roles))
    .max(roles.length)
    .meta({ example: ['owner'] }),
  member_ids: z.array(id('member')).max(MEMBERS_MAX),
  integration_ids: z.array(id('integration')).max(INTEGRATIONS_MAX),
};
const alertNotify = z.object(recipients).meta({
  id: 'AlertNotify',
  description:
    'Who is told: active members with one of the roles and those that are named by mail, and integrations.',
});
const newAlertNotify = z
  .strictObject({
    roles: recipients.roles.default([]),
    member_ids: recipients.member_ids.default([]),
    integration_ids: recipients.integration_ids.default([]),
  })
  .meta({ id: 'NewAlertNotify', example: { roles: ['owner'] } });

/** The fields of a rule that its alerts keep. */
export const watched = {
  name: name(),
  metric,
  threshold: z.int().min(0).meta({ description: 'In the unit of the metric.', example: 500 }),
  window_seconds: z
    .int()
    .min(60)
    .max(DAY_SECONDS)
    .meta({ description: 'How far back is looked.', example: 300 }),
  period: z.enum(['day', 'month']).nullable().meta({
    description: 'A UTC day or month instead of the window; for `spend_nanos` only.',
    example: null,
  }),
  filter: alertFilter,
  min_requests: z.int().min(1).max(1_000_000).meta({
    description: 'Fewer calls than these are no data, for rates and percentiles.',
    example: 20,
  }),
  for_seconds: z
    .int()
    .min(0)
    .max(DAY_SECONDS)
    .meta({ description: 'For how long the condition must hold before the rule fires.', example: 0 }),
  keep_firing_seconds: z
    .int()
    .min(0)
    .max(DAY_SECONDS)
    .meta({ description: 'For how long it must not hold before the alert resolves.', example: 300 }),
  repeat_seconds: z
    .int()
    .min(3_600)
    .max(31 * DAY_SECONDS)
    .nullable()
    .meta({ description: 'What still fires is told again after it; null for never.', example: null }),
  severity: z.enum(['info', 'warning', 'critical']).meta({ example: 'warning' }),
};

const settable = {
  ...watched,
  enabled: z.boolean().meta({ description: 'A disabled rule is not evaluated.' }),
  muted_until: givenTime()
    .nullable()
    .meta({ description: 'Until then it fires and records, and sends nothing.', example: null }),
};

const settings = z.object({ ...settable, notify: alertNotify });

export const alertRule = z
  .object({
    id: id('alertRule'),
    organization_id: id('organization'),
    ...settings.shape,
    disabled_reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the service disabled it: `target_gone`.', example: null }),
    state,
    observed: z.int().nullable().meta({ description: 'Null: no data, or not evaluated yet.', example: 120 }),
    evaluated_at: timestamp()
      .nullable()
      .meta({ description: 'Where nothing changes, it lags by up to a minute.' }),
    current_alert_id: id('alert').nullable().meta({ description: 'Null unless it is firing.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'AlertRule', description: 'Watches one metric, and says when it passes a threshold.' });

export const newAlertRule = z
  .strictObject({
    ...settable,
    window_seconds: settable.window_seconds.default(300),
    period: settable.period.default(null),
    filter: newAlertFilter.prefault({}),
    min_requests: settable.min_requests.default(20),
    for_seconds: settable.for_seconds.default(0),
    keep_firing_seconds: settable.keep_firing_seconds.default(300),
    repeat_seconds: settable.repeat_seconds.default(null),
    severity: settable.severity.default('warning'),
    notify: newAlertNotify.prefault({}),
    enabled: settable.enabled.default(true),
    muted_until: settable.muted_until.default(null),
  })
  .meta({
    id: 'NewAlertRule',
    example: {
      name: 'Errors',
      metric: 'error_rate_bps',
      threshold: 500,
      filter: { model: 'acme/small' },
      notify: { roles: ['owner'] },
    },
  });

export const alertRuleChange = z
  .strictObject({ ...settable, filter: newAlertFilter, notify: newAlertNotify })
  .partial()
  .meta({
    id: 'AlertRuleChange',
    example: { threshold: 1_000, severity: 'critical' },
    description: '`filter` and `notify` are replaced as a whole: what is not given in them is null or empty.',
  });

export const alertRuleFilters = {
  metric: metric.optional(),
  state: state.optional(),
  enabled: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
};

const computed = {
  threshold: ({ threshold }: AlertRuleRecord) => Number(threshold),
  notify: ({ notifyRoles, notifyMemberIds, notifyIntegrationIds }: AlertRuleRecord) => ({
    roles: notifyRoles.filter(isRole),
    member_ids: notifyMemberIds,
    integration_ids: notifyIntegrationIds,
  }),
};

export const presentAlertRule = presenter<typeof alertRule, AlertRuleRecord>(alertRule, {
  ...computed,
  observed: ({ observed }) => (observed === null ? null : Number(observed)),
});

/** The settings of a rule, as the API names them. */
export const presentSettings = presenter<typeof settings, AlertRuleRecord>(settings, computed);
