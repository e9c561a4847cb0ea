import { z } from 'zod';
import { givenTime, id, line, presenter, presentTime, timestamp } from '@svc/api';
import { INCIDENT_COMPONENTS, INCIDENT_SEVERITIES, INCIDENT_STATES } from '@svc/incidents';
import { type AffectedOrganization, type AffectingIncident, type IncidentRecord } from '@svc/incidents/store';

const TITLE_MAX = 256;
const MESSAGE_MAX = 4_000;
const NAMES_MAX = 100;
const NAME_LENGTH_MAX = 200;
const ORGANIZATIONS_MAX = 1_000;

const state = z.enum(INCIDENT_STATES);
const severity = z.enum(INCIDENT_SEVERITIES);
const title = line(TITLE_MAX).meta({ example: 'Slow answers of anthropic' });
const message = z
  .string()
  .trim()
  .min(1)
  .max(MESSAGE_MAX)
  // Lines are fine in a message; other control characters and lone surrogates are not.
  .regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, 'must not contain control characters')
  .meta({ example: 'Calls of the provider time out. We have told it.' });

const distinct = <T extends z.ZodType<string>>(item: T, max: number) =>
  z
    .array(item)
    .max(max)
    .refine((items) => new Set(items).size === items.length, 'must not name anything twice');

const components = distinct(z.enum(INCIDENT_COMPONENTS), INCIDENT_COMPONENTS.length)
  .min(1)
  .meta({ description: 'The parts of the service that are affected.', example: ['inference'] });
const providers = distinct(z.string().min(1).max(NAME_LENGTH_MAX), NAMES_MAX).meta({
  description: 'Providers of the catalog that are affected.',
  example: ['anthropic'],
});
const models = distinct(z.string().min(1).max(NAME_LENGTH_MAX), NAMES_MAX).meta({
  description: 'Ids of models of the catalog that are affected.',
  example: [],
});

const shown = {
  id: id('incident'),
  title,
  state,
  severity,
  components: z.array(z.string()).meta({ example: ['inference'] }),
  providers: z.array(z.string()).meta({ example: ['anthropic'] }),
  models: z.array(z.string()).meta({ example: [] }),
  source: z
    .enum(['operator', 'automatic'])
    .meta({ description: '`automatic`: the service opened it, because of open circuits.' }),
  started_at: timestamp(),
  resolved_at: timestamp().nullable().meta({ description: 'Null unless it is resolved.' }),
  updates: z
    .array(
      z.object({
        at: timestamp(),
        state,
        severity,
        message: z.string().meta({ example: 'Calls of the provider time out. We have told it.' }),
      }),
    )
    .meta({ description: 'Oldest first.' }),
};

export const incident = z
  .object({
    ...shown,
    affected_since: timestamp().meta({ description: 'When the organization was told of it.' }),
  })
  .meta({ id: 'Incident', description: 'Something of the platform that affects the organization.' });

const audience = z.enum(['all', 'affected', 'organizations']).meta({
  description:
    'Who is told: every organization, those that the providers or models affect, or those of `organization_ids`.',
});

export const platformIncident = z
  .object({
    ...shown,
    audience,
    organization_count: z.int().min(0).meta({ description: 'How many organizations were told so far.' }),
    managed: z.boolean().meta({
      description:
        'Whether the operator has updated an automatic incident: from then on only people change its state.',
    }),
    created_at: timestamp(),
  })
  .meta({ id: 'PlatformIncident' });

export const incidentFilters = {
  state: z.enum(['open', 'resolved']).optional().meta({ description: '`open`: every state but `resolved`.' }),
  severity: severity.optional(),
};

export const newIncident = z
  .strictObject({
    title,
    message,
    severity,
    components,
    providers: providers.default([]),
    models: models.default([]),
    audience,
    organization_ids: distinct(id('organization'), ORGANIZATIONS_MAX)
      .min(1)
      .optional()
      .meta({ description: 'Of the audience `organizations`, and of no other.' }),
    state: z.enum(['investigating', 'identified', 'monitoring']).default('investigating'),
    started_at: givenTime().optional().meta({ description: 'When it began, if earlier than now.' }),
  })
  .meta({ id: 'NewIncident' });

export const incidentChange = z.strictObject({ title }).partial().meta({ id: 'IncidentChange' });

const IDEMPOTENCY_KEY_MAX = 255;

export const newIncidentHeaders = {
  'Idempotency-Key': z.string().min(1).max(IDEMPOTENCY_KEY_MAX).optional().meta({
    description:
      'A retry with the same key and body within 24 hours answers with the same incident, and opens no other.',
    example: 'outage-2026-114',
  }),
};

export const newIncidentUpdate = z
  .strictObject({
    message,
    state: state.optional(),
    severity: severity.optional(),
    components: components.optional(),
    providers: providers.optional(),
    models: models.optional(),
  })
  .meta({ id: 'NewIncidentUpdate', description: 'What is absent stays as it is.' });

export const incidentOrganization = z
  .object({
    id: id('organization'),
    name: z.string().meta({ example: 'Acme' }),
    affected_since: timestamp(),
  })
  .meta({ id: 'IncidentOrganization' });

const computed = {
  updates: ({ updates }: IncidentRecord) =>
    updates.map((update) => ({ ...update, at: presentTime(update.at) })),
};

export const presentIncident = presenter<typeof incident, AffectingIncident>(incident, computed);

export const presentPlatformIncident = presenter<typeof platformIncident, IncidentRecord>(
  platformIncident,
  computed,
);

export const presentIncidentOrganization = presenter<typeof incidentOrganization, AffectedOrganization>(
  incidentOrganization,
  {},
);
