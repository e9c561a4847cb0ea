import { z } from 'zod';
import { id, line, name, timestamp } from '@svc/platform/api';

const PROVIDER_MAX = 200;
const SECRET_MAX = 4096;

const provider = line(PROVIDER_MAX).meta({
  description: 'By its name in the catalog.',
  example: 'anthropic',
});

const state = z.enum(['active', 'disabled', 'revoked', 'compromised']).meta({
  description: 'Calls are made with an active one only. What is revoked or compromised stays so.',
});

/** It is sent in a header, which holds no other characters, and no space at its ends. */
const secret = z
  .string()
  .trim()
  .min(1)
  .max(SECRET_MAX)
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
  .meta({
    description:
      'What the provider knows the organization by. It is stored encrypted, and never shown again.',
    example: 'sk-ant-api03-4f0c8d2e6a1b',
    writeOnly: true,
  });

export const providerCredential = z
  .object({
    id: id('providerCredential'),
    organization_id: id('organization'),
    provider,
    label: name(),
    last4: z
      .string()
      .nullable()
      .meta({ description: 'The end of the secret; null where the secret is short.', example: '2e6a' }),
    state,
    rotated_at: timestamp().nullable().meta({ description: 'When it last got a new secret.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'ProviderCredential' });

export const newProviderCredential = z
  .strictObject({ provider, label: name(), secret })
  .meta({ id: 'NewProviderCredential' });

export const newSecret = z.strictObject({ secret }).meta({ id: 'NewProviderCredentialSecret' });

export const credentialFilters = { provider: provider.optional(), state: state.optional() };
