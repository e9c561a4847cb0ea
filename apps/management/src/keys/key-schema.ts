import { z } from 'zod';
import { permissions } from '@svc/identity';
import { id, name, timestamp } from '@svc/platform/api';

const state = z
  .enum(['active', 'revoked'])
  .meta({ description: 'A revoked key opens nothing any more, and can still be read.' });

/** What PostgreSQL's integer holds. */
const LIMIT_MAX = 2_147_483_647;
const rateLimit = (unit: string, standard: string) =>
  z
    .int()
    .min(1)
    .max(LIMIT_MAX)
    .nullable()
    .meta({ description: `${unit} a minute; null is the default, ${standard}.`, example: 120 });
const rateLimits = {
  rate_limit_rpm: rateLimit('Requests', '600'),
  rate_limit_tpm: rateLimit('Estimated tokens', '1,000,000'),
};

const scopes = z.array(z.enum(permissions)).meta({
  description: 'Permissions of the key.',
  example: ['inference:invoke'],
});

export const apiKey = z
  .object({
    id: id('apiKey'),
    organization_id: id('organization'),
    project_id: id('project').nullable().meta({ description: 'Null: the key is the whole organization’s.' }),
    name: name(),
    prefix: z.string().meta({
      description: 'The first characters of the key, to tell it by.',
      example: 'svc_sk_Zk3vQ8aB',
    }),
    scopes,
    state,
    ...rateLimits,
    effective_rate_limit: z.object({ rpm: z.int().min(1), tpm: z.int().min(1) }).meta({
      description:
        'What holds a minute: the key’s own limits, but never more than its organization’s ceilings.',
      example: { rpm: 120, tpm: 1_000_000 },
    }),
    last_used_at: timestamp()
      .nullable()
      .meta({ description: 'Null: never used. Written once a minute, so it may be that much behind.' }),
    expires_at: timestamp().nullable(),
    revoked_at: timestamp().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its secret.' });

export const newApiKey = z
  .strictObject({
    name: name(),
    scopes: scopes
      .min(1)
      .superRefine((given, context) => {
        const repeated = given.findIndex((scope, at) => given.indexOf(scope) < at);
        if (repeated < 0) return;
        context.addIssue({ code: 'custom', path: [repeated], message: 'is given twice' });
      })
      .meta({ uniqueItems: true, description: 'Permissions of the key, none that its creator lacks.' }),
    project_id: id('project').nullable().default(null).meta({
      description:
        'An active project, to which the key is bound for good. A project’s key makes keys of its own project.',
    }),
    expires_at: z.iso
      .datetime()
      .nullable()
      .default(null)
      .meta({ description: 'In the future, UTC; null for never.', example: '2027-11-20T09:30:00.000Z' }),
    rate_limit_rpm: rateLimits.rate_limit_rpm.default(null),
    rate_limit_tpm: rateLimits.rate_limit_tpm.default(null),
  })
  .meta({ id: 'NewApiKey' });

export const mintedApiKey = z
  .object({
    key: z.string().meta({ description: 'The secret. It is shown this once.', example: 'svc_sk_Zk3vQ8aB…' }),
    api_key: apiKey,
    warning: z.string(),
  })
  .meta({ id: 'MintedApiKey' });

export const apiKeyChange = z
  .strictObject({ name: name(), ...rateLimits })
  .partial()
  .meta({ id: 'ApiKeyChange', description: 'An explicit null restores the default limit.' });

export const apiKeyFilters = { project_id: id('project').optional(), state: state.optional() };
