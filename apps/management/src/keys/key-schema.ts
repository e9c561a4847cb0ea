import { z } from 'zod';
import { givenTime, id, idList, line, name, nullByDefault, presenter, timestamp } from '@svc/api';
import { isKeyPermission, keyPermissions, permissions } from '@svc/access';
import { bucketsFor, type Bucket } from '@svc/limits';
import { type ApiKeyDetails } from '@svc/access/store';
import { keyPolicyDocument } from '@svc/policy';

const state = z
  .enum(['active', 'revoked'])
  .meta({ description: 'Calls with a revoked key are refused. Its record stays readable.' });

/** Of an organization, neither revoked nor expired. */
export const KEYS_MAX = 10_000;
/** The largest value of PostgreSQL's integer. */
const LIMIT_MAX = 2_147_483_647;
const rateLimit = (unit: string, standard: string) =>
  z
    .int()
    .min(1)
    .max(LIMIT_MAX)
    .nullable()
    .meta({ description: `${unit} per minute; null for the default, ${standard}.`, example: 120 });
/** Null unless a new key or a change gives them; shown and audited as they are. */
const settings = {
  rate_limit_rpm: rateLimit('Requests', '600'),
  rate_limit_tpm: rateLimit('Estimated tokens', '1,000,000'),
};

const scopes = z
  .array(z.enum(keyPermissions))
  // As many as there are: a list with those that only people hold names the first of them, not its length.
  .max(permissions.length)
  .meta({
    description: 'Permissions of the key.',
    example: ['inference:invoke'],
  });

const purpose = z.enum(['general', 'playground']).meta({
  description:
    'A `playground` key is one user’s, for the console’s playground. Lists hide it unless they ask for it.',
});

const creator = z.string().meta({ example: 'usr_06dpm2q4x8k3c0v9r7t5w1hzny' });

export const apiKey = z
  .object({
    id: id('apiKey'),
    organization_id: id('organization'),
    project_id: id('project')
      .nullable()
      .meta({ description: 'Null: the key belongs to the whole organization.' }),
    name: name(),
    prefix: z.string().meta({
      description: 'The first characters of the key, to recognize it by.',
      example: 'svc_sk_Zk3vQ8aB',
    }),
    scopes,
    purpose,
    state,
    ...settings,
    effective_rate_limit: z.object({ rpm: z.int().min(1), tpm: z.int().min(1) }).meta({
      description:
        'Limits in effect, per minute: the key’s own, but never above its organization’s ceilings.',
      example: { rpm: 120, tpm: 1_000_000 },
    }),
    last_used_at: timestamp()
      .nullable()
      .meta({ description: 'Null: never used. Updated once a minute at most, so it may lag.' }),
    expires_at: timestamp().nullable().meta({ description: 'Null: never.' }),
    revoked_at: timestamp().nullable(),
    created_by: creator.nullable().meta({
      description: 'Id of the user or API key that created it. Null: it was created with the installation.',
    }),
    member_id: id('member').nullable().meta({
      description: 'The member in whose budgets its calls count. Null: in nobody’s. It never changes.',
    }),
    replaces: id('apiKey').nullable().meta({ description: 'The key whose place it takes.' }),
    replaced_by: id('apiKey').nullable().meta({ description: 'The newest key that takes its place.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its secret.' });

const expiry = givenTime()
  .nullable()
  .meta({ description: 'In the future; null for never.', example: '2027-11-20T09:30:00.000Z' });

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
      .meta({ uniqueItems: true, description: 'Permissions of the key. The caller must have each of them.' }),
    project_id: id('project').nullable().default(null).meta({
      description:
        'An active project, to which the key is bound for good. A project’s key creates keys of its own project.',
    }),
    expires_at: expiry.default(null),
    ...nullByDefault(settings),
    purpose: purpose.default('general').meta({
      description:
        'A console session can create a `playground` key, with the scope `inference:invoke` alone. It ends within one hour, ' +
        'and the user’s earlier one is revoked.',
    }),
    policy: keyPolicyDocument
      .nullable()
      .default(null)
      .meta({
        id: 'PolicyOfNewKey',
        description:
          'Takes away from what the key may do; it needs no `policy:write`. The key also begins with the policy of the key that makes it, and ' +
          'of the key that it replaces: what all of them allow.',
        example: null,
      }),
    member_id: id('member')
      .nullable()
      .optional()
      .meta({
        description:
          'The member in whose budgets its calls count; null for nobody’s. By default the caller, or the member of the API key ' +
          'that calls. Anything else needs `budget:write`.',
        example: 'mem_06dpm2q4x8k3c0v9r7t5w1hzny',
      }),
    replaces: id('apiKey').nullable().default(null).meta({
      description: 'The key whose place it takes. That one works until it is revoked.',
      example: null,
    }),
  })
  .meta({ id: 'NewApiKey' });

export const mintedApiKey = z
  .object({
    key: z.string().meta({ description: 'The secret. It is shown only once.', example: 'svc_sk_Zk3vQ8aB…' }),
    api_key: apiKey,
    warning: z.string(),
  })
  .meta({ id: 'MintedApiKey' });

const changeable = z.strictObject({ name: name(), expires_at: expiry, ...settings });

export const apiKeyChange = changeable
  .partial()
  .meta({ id: 'ApiKeyChange', description: 'An explicit null restores the default limit.' });

const SEARCH_MAX_LENGTH = 200;

export const apiKeyFilters = {
  ids: idList('apiKey').optional(),
  q: line(SEARCH_MAX_LENGTH).optional().meta({
    description: 'A part of the name, in any case, or the beginning of `prefix`.',
    example: 'search',
  }),
  project_id: id('project').optional(),
  state: state.optional(),
  purpose: purpose.optional().meta({
    description: 'By default `general`; with `ids`, both.',
  }),
  created_by: line(SEARCH_MAX_LENGTH).optional().meta({ example: 'usr_06dpm2q4x8k3c0v9r7t5w1hzny' }),
};

export const presentKey = presenter<typeof apiKey, ApiKeyDetails>(apiKey, {
  scopes: ({ scopes }) => scopes.filter(isKeyPermission),
  effective_rate_limit: effectiveRateLimit,
});

/** The fields of a key that audit entries show. */
export const auditedKey = presenter<typeof changeable, ApiKeyDetails>(changeable, {});

/** A call must fit all four buckets of the edge, so the smaller limit of each unit applies. */
function effectiveRateLimit(record: ApiKeyDetails): { rpm: number; tpm: number } {
  const buckets = bucketsFor(
    { rpm: record.rateLimitRpm, tpm: record.rateLimitTpm },
    { rpm: record.organizationRpm, tpm: record.organizationTpm },
  );
  return { rpm: smallest(buckets, 'requests'), tpm: smallest(buckets, 'tokens') };
}

const smallest = (buckets: readonly Bucket[], wanted: Bucket['unit']): number =>
  Math.min(...buckets.filter(({ unit }) => unit === wanted).map(({ capacity }) => capacity));
