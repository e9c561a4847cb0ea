import { z } from 'zod';
import { id, line, name, presentTime, presentTimeOrNull, timestamp } from '@svc/api';
import { type ProviderCredential } from '@svc/policy/store';

/** Of an organization: active and disabled ones. */
export const CREDENTIALS_MAX = 1_000;
const PROVIDER_MAX = 200;
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
    rotated_at: timestamp().nullable().meta({ description: 'When the secret was last replaced.' }),
    last_auth_failed_at: timestamp()
      .nullable()
      .meta({ description: 'When the provider last refused it, told once an hour; null: never.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'ProviderCredential' });

export const newProviderCredential = z
  .strictObject({ provider, label: name(), secret })
  .meta({ id: 'NewProviderCredential' });

export const newSecret = z.strictObject({ secret }).meta({ id: 'NewProviderCredentialSecret' });

export const credentialFilters = { provider: provider.optional(), state: state.optional() };

export const presentProviderCredential = (
  credential: ProviderCredential,
): z.input<typeof providerCredential> => ({
  id: credential.id,
  organization_id: credential.organizationId,
  provider: credential.provider,
  label: credential.label,
  last4: credential.last4,
  state: credential.state,
  rotated_at: presentTimeOrNull(credential.rotatedAt),
  last_auth_failed_at: presentTimeOrNull(credential.lastAuthFailedAt),
  created_at: presentTime(credential.createdAt),
  updated_at: presentTime(credential.updatedAt),
});
