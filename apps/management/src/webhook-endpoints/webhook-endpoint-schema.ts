import { z } from 'zod';
import { id, timestamp } from '@svc/platform/api';

/** An organization can have so many: each of its events is sent to all of them. */
export const ENDPOINTS_MAX = 100;
const DESCRIPTION_MAX = 500;
/** More than there are names and wildcards. */
const EVENT_TYPES_MAX = 200;

const url = z.string().meta({
  format: 'uri',
  description: '`https`, with a public host; without a user name, password or fragment. Any port.',
  example: 'https://hooks.example.com/svc',
});

const description = z
  .string()
  .trim()
  .max(DESCRIPTION_MAX)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters')
  .meta({ example: 'Billing' });

const eventTypes = z.array(z.string()).meta({
  description:
    'Events by their names, or `<noun>.*` for all of a noun. Empty: every event. `/api/v1/webhook-events` lists them.',
  example: ['api_key.*', 'budget.exceeded'],
});

const givenEventTypes = eventTypes
  .max(EVENT_TYPES_MAX)
  .superRefine((given, context) => {
    const seen = new Set<string>();
    const repeated = given.findIndex((type) => seen.size === seen.add(type).size);
    if (repeated < 0) return;
    context.addIssue({ code: 'custom', path: [repeated], message: 'is given twice' });
  })
  .meta({ uniqueItems: true });

const enabled = z.boolean().meta({ description: 'False while it is paused or disabled.' });

const state = z.enum(['active', 'failing', 'paused', 'disabled']).meta({
  description:
    'It is `failing` after 10 failures in a row and `disabled` by the platform after 25; any success makes it `active`. ' +
    'Deliveries of a paused or disabled one wait.',
});

export const webhookEndpoint = z
  .object({
    id: id('webhookEndpoint'),
    organization_id: id('organization'),
    url,
    description,
    event_types: eventTypes,
    enabled,
    state,
    disabled_reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the platform disabled it; else null.', example: 'consecutive_failures' }),
    consecutive_failures: z.int().min(0).meta({ example: 0 }),
    secret_last4: z.string().meta({ description: 'The end of the signing secret.', example: '9f3c' }),
    previous_secret_expires_at: timestamp()
      .nullable()
      .meta({ description: 'Until when the secret before this one signs too; null before any rotation.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'WebhookEndpoint', description: 'A webhook endpoint, without its signing secret.' });

export const newWebhookEndpoint = z
  .strictObject({
    url,
    description: description.default(''),
    event_types: givenEventTypes.default([]),
  })
  .meta({ id: 'NewWebhookEndpoint' });

export const webhookEndpointChange = z
  .strictObject({
    url,
    description,
    event_types: givenEventTypes,
    enabled: z.boolean().meta({
      description:
        'False pauses it. True arms it again, with no failures: what waited is sent, oldest first.',
    }),
  })
  .partial()
  .meta({ id: 'WebhookEndpointChange' });

export const issuedSigningSecret = z
  .object({
    signing_secret: z.string().meta({
      description: 'What deliveries are signed with. It is shown this once.',
      example: `whsec_${'4f0c8d2e6a1b9375'.repeat(4)}`,
    }),
    endpoint: webhookEndpoint,
    warning: z.string(),
  })
  .meta({ id: 'IssuedSigningSecret' });

export const webhookEndpointFilters = { state: state.optional() };
