import { z } from 'zod';
import { id, line, name, presenter, presentTime, timestamp } from '@svc/api';
import { type ProviderCredential, type ReportedHealth } from '@svc/policy/store';

/** Of an organization: active and disabled ones. */
export const CREDENTIALS_MAX = 1_000;
/** Active ones of an organization at one provider. */
export const CREDENTIALS_OF_PROVIDER_MAX = 20;
const PROVIDER_MAX = 200;
const WEIGHT_MAX = 1_000;
const WEIGHT_DEFAULT = 100;
const RATE_MAX = 2 ** 31 - 1;
const SECRET_MAX = 4096;

const provider = line(PROVIDER_MAX).meta({
  description: 'The provider’s name in the catalog.',
  example: 'anthropic',
});

const state = z.enum(['active', 'disabled', 'revoked', 'compromised']).meta({
  description: 'Only an active credential is used. `revoked` and `compromised` are final.',
});

/** Sent in a header, which takes no other characters and no space at either end. */
const secret = z
  .string()
  .trim()
  .min(1)
  .max(SECRET_MAX)
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
  .meta({
    description: 'The organization’s API key at the provider. It is stored encrypted, and never shown again.',
    example: 'sk-ant-api03-4f0c8d2e6a1b',
    writeOnly: true,
  });

const weight = z.int().min(0).max(WEIGHT_MAX).meta({
  description:
    'Its share of the calls, beside the weights of the provider’s other active credentials. One of weight 0 is used only after all others.',
  example: 100,
});

const rate = (unit: string, example: number) =>
  z
    .int()
    .min(1)
    .max(RATE_MAX)
    .nullable()
    .meta({ description: `${unit} per minute that it may be sent; null for no limit.`, example });
const pooled = {
  weight,
  rate_limit_rpm: rate('Calls', 500),
  rate_limit_tpm: rate('Estimated tokens', 200_000),
};

/** The reports of edges on a credential. */
export const healthFields = {
  health: z.enum(['ok', 'cooling', 'refused']).meta({
    description:
      'As the edges last reported it. `cooling`: the provider takes no calls of some models with it for a while. `refused`: the ' +
      'provider refuses it, or its account has no money left.',
  }),
  retry_at: timestamp().nullable().meta({
    description:
      'The earliest time at which a call may be sent with it again; null while its health is `ok`.',
  }),
  cooling: z
    .array(
      z.object({
        endpoint_id: z.string().meta({
          description: 'The model endpoint, as request records name it.',
          example: 'acme/small|acme|eu|small-1',
        }),
        until: timestamp(),
      }),
    )
    .meta({ description: 'Where it cools, and until when.' }),
  headroom_bps: z.int().min(0).max(10_000).nullable().meta({
    description:
      'What is left of the provider’s rate limits at the endpoint that has the least, in basis points; null: not known.',
    example: 8_200,
  }),
};

export const providerCredential = z
  .object({
    id: id('providerCredential'),
    organization_id: id('organization'),
    provider,
    label: name(),
    last4: z.string().nullable().meta({
      description: 'The last four characters of the secret; null if the secret is short.',
      example: '2e6a',
    }),
    state,
    ...pooled,
    ...healthFields,
    rotated_at: timestamp().nullable().meta({ description: 'When the secret was last replaced.' }),
    last_auth_failed_at: timestamp()
      .nullable()
      .meta({ description: 'When the provider last refused it, told once an hour; null: never.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'ProviderCredential' });

export const newProviderCredential = z
  .strictObject({
    provider,
    label: name(),
    secret,
    weight: pooled.weight.default(WEIGHT_DEFAULT),
    rate_limit_rpm: pooled.rate_limit_rpm.default(null),
    rate_limit_tpm: pooled.rate_limit_tpm.default(null),
  })
  .meta({ id: 'NewProviderCredential' });

const whatChanges = z.strictObject({ label: name(), ...pooled });

export const providerCredentialChange = whatChanges.partial().meta({ id: 'ProviderCredentialChange' });

/** The fields of a credential that a change can set, as audit entries show them. */
export const auditedSettings = presenter<typeof whatChanges, ProviderCredential>(whatChanges, {});

export const newSecret = z.strictObject({ secret }).meta({ id: 'NewProviderCredentialSecret' });

export const credentialFilters = { provider: provider.optional(), state: state.optional() };

/** A credential with what edges report of it. */
export type ShownCredential = ProviderCredential & ReportedHealth;

export const presentProviderCredential = presenter<typeof providerCredential, ShownCredential>(
  providerCredential,
  {
    cooling: ({ cooling }) =>
      cooling.map(({ endpointId: endpoint_id, until }) => ({ endpoint_id, until: presentTime(until) })),
  },
);
