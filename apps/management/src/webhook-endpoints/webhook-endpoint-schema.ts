import { z } from 'zod';
import { id, idList, NOT_ONE_LINE, ONE_LINE, presenter, timestamp } from '@svc/api';
import { isEnabledState } from '@svc/events';
import { type WebhookEndpointRecord } from '@svc/deliveries/store';

/** The most endpoints of an organization: each of its events may be sent to all of them. */
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
  .regex(ONE_LINE, NOT_ONE_LINE)
  .meta({ example: 'Billing' });

const eventTypes = z.array(z.string()).meta({
  description:
    'Names of events, or `<noun>.*` for all of a noun. Empty for every event. `/api/v1/webhook-events` lists them.',
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

const enabled = z.boolean().meta({ description: 'False while the endpoint is paused or disabled.' });

const state = z.enum(['active', 'failing', 'paused', 'disabled']).meta({
  description:
    '`failing` after 10 failures in a row, `disabled` by the platform after 25, `active` after any success. ' +
    'Deliveries to a paused or disabled endpoint wait.',
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
    disabled_reason: z.string().nullable().meta({
      description: 'Why the platform disabled the endpoint; else null.',
      example: 'consecutive_failures',
    }),
    consecutive_failures: z.int().min(0).meta({ example: 0 }),
    secret_last4: z
      .string()
      .meta({ description: 'The last four characters of the signing secret.', example: '9f3c' }),
    previous_secret_expires_at: timestamp()
      .nullable()
      .meta({ description: 'When the previous secret stops signing; null before any rotation.' }),
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
        'False pauses the endpoint. True enables it and clears its failures. Waiting deliveries are then sent, oldest ' +
        'first.',
    }),
  })
  .partial()
  .meta({ id: 'WebhookEndpointChange' });

export const webhookTest = z
  .strictObject({
    event_type: z.string().optional().meta({
      description:
        'The test shows the example of this event. `/api/v1/webhook-events` lists them; `webhook.test` itself is none.',
      example: 'budget.exceeded',
    }),
  })
  .meta({ id: 'WebhookTest' });

export const issuedSigningSecret = z
  .object({
    signing_secret: z.string().meta({
      description: 'The secret that signs deliveries. It is shown only once.',
      example: `whsec_${'4f0c8d2e6a1b9375'.repeat(4)}`,
    }),
    endpoint: webhookEndpoint,
    warning: z.string(),
  })
  .meta({ id: 'IssuedSigningSecret' });

export const webhookEndpointFilters = { ids: idList('webhookEndpoint').optional(), state: state.optional() };

export const presentWebhookEndpoint = presenter<typeof webhookEndpoint, WebhookEndpointRecord>(
  webhookEndpoint,
  {
    enabled: ({ state }) => isEnabledState(state),
  },
);

/** A webhook endpoint with its new signing secret. */
export interface IssuedSecret {
  /** In the clear, this once. */
  readonly secret: string;
  readonly record: WebhookEndpointRecord;
}

export const presentIssuedSecret = (
  { secret, record }: IssuedSecret,
  warning: string,
): z.input<typeof issuedSigningSecret> => ({
  signing_secret: secret,
  endpoint: presentWebhookEndpoint(record),
  warning,
});
