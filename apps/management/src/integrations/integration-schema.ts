import { z } from 'zod';
import { id, idList, name, presenter, timestamp } from '@svc/api';
import { isEnabledState } from '@svc/events';
import { roles } from '@svc/access';
import { DEFAULT_EVENT_TYPES, integrationKinds } from '@svc/deliveries';
import { type IntegrationRecord } from '@svc/deliveries/store';

/** The most integrations of an organization. */
export const INTEGRATIONS_MAX = 20;
const MEMBERS_MAX = 20;
/** More than there are names and wildcards. */
const EVENT_TYPES_MAX = 200;

const kind = z.enum(integrationKinds).meta({ description: '`slack` is for Mattermost too.' });
const state = z.enum(['active', 'failing', 'paused', 'disabled']).meta({
  description:
    '`failing` after 10 failures in a row, `disabled` by the platform after 25, `active` after any success. ' +
    'Deliveries to a paused or disabled integration wait.',
});
const integrationName = name().meta({ example: 'On-call channel' });
const eventTypes = z.array(z.string()).meta({
  description:
    'Names of events, or `<noun>.*` for all of a noun. Empty for every event; for `otlp`, which gets no messages, none. ' +
    '`/api/v1/webhook-events` lists them.',
  example: [...DEFAULT_EVENT_TYPES],
});
const givenEventTypes = eventTypes
  .max(EVENT_TYPES_MAX)
  .superRefine((given, context) => {
    const repeated = given.findIndex((type, at) => given.indexOf(type) !== at);
    if (repeated >= 0) context.addIssue({ code: 'custom', path: [repeated], message: 'is given twice' });
  })
  .meta({ uniqueItems: true });

const fields = {
  url: z.string().meta({
    format: 'uri',
    description:
      'Of a channel: the whole URL is secret. Of PagerDuty: theirs, or that of their EU accounts. Of `otlp`: the base, to ' +
      'which `/v1/traces` and `/v1/metrics` are added.',
    example: 'https://hooks.slack.com/services/T0/B0/x',
  }),
  signals: z
    .array(z.enum(['traces', 'metrics']))
    .min(1)
    .max(2)
    .meta({ uniqueItems: true }),
  encoding: z.enum(['protobuf', 'json']),
  member_ids: z.array(id('member')).max(MEMBERS_MAX),
  roles: z
    .array(z.enum(roles))
    .max(roles.length)
    .meta({ example: ['owner'] }),
};

/** Which fields a kind takes is decided by `readConfiguration`. */
const givenConfig = z
  .strictObject({
    ...fields,
    routing_key: z.string().meta({ description: 'The integration key of the PagerDuty service.' }),
    headers: z.record(z.string(), z.string()).meta({
      description: '10 at most, and 4 KiB together. All values are secret.',
      example: { 'x-api-key': 'secret' },
    }),
  })
  .partial()
  .meta({ id: 'NewIntegrationConfig', example: { url: 'https://hooks.slack.com/services/T0/B0/x' } });

const masked = z.object({
  last4: z
    .string()
    .meta({ description: 'The last four characters; empty for a short secret.', example: '9f3c' }),
});
const shownConfig = z
  .object({ ...fields, routing_key: masked, headers: z.record(z.string(), masked) })
  .partial()
  .meta({
    id: 'IntegrationConfig',
    description: 'The fields of the kind. A secret shows its last four characters, a secret URL its origin.',
    example: { url: 'https://hooks.slack.com' },
  });

export const integration = z
  .object({
    id: id('integration'),
    organization_id: id('organization'),
    kind,
    name: integrationName,
    config: shownConfig,
    event_types: eventTypes,
    enabled: z.boolean().meta({ description: 'False while the integration is paused or disabled.' }),
    state,
    disabled_reason: z.string().nullable().meta({
      description: 'Why the platform disabled it; else null.',
      example: 'consecutive_failures',
    }),
    consecutive_failures: z.int().min(0).meta({ example: 0 }),
    last_success_at: timestamp().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Integration', description: 'An integration, without its secrets.' });

const givenEnabled = z.boolean().meta({
  description:
    'False pauses the integration. True enables it and clears its failures; what waited is then sent.',
});

export const newIntegration = z
  .strictObject({
    kind,
    name: integrationName,
    config: givenConfig,
    event_types: givenEventTypes.optional(),
    enabled: givenEnabled.default(true),
  })
  .meta({ id: 'NewIntegration' });

export const integrationChange = z
  .strictObject({
    name: integrationName,
    config: givenConfig.meta({
      id: 'IntegrationConfigChange',
      description: 'The fields to change. Others stay as they are, secrets too.',
    }),
    event_types: givenEventTypes,
    enabled: givenEnabled,
  })
  .partial()
  .meta({ id: 'IntegrationChange' });

export const integrationFilters = {
  ids: idList('integration').optional(),
  kind: kind.optional(),
  state: state.optional(),
};

export const presentIntegration = presenter<typeof integration, IntegrationRecord>(integration, {
  enabled: ({ state }) => isEnabledState(state),
});
