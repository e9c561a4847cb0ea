import { z } from 'zod';
import { presenter } from '@svc/api';
import { type EnvCredential } from '@svc/catalog';
import { type ReportedHealth } from '@svc/policy/store';
import { healthFields } from '../provider-credentials/provider-credential-schema';

export const platformCredential = z
  .object({
    provider: z.string().meta({ description: 'The provider’s name in the catalog.', example: 'anthropic' }),
    env: z.string().meta({
      description: 'The variable that holds the credential, as the catalog names it.',
      example: 'ANTHROPIC_API_KEY',
    }),
    weight: z.int().meta({
      description:
        'Its share of the calls, beside the weights of the provider’s others; 0: after all others.',
      example: 100,
    }),
    health: healthFields.health,
    retry_at: healthFields.retry_at,
    headroom_bps: healthFields.headroom_bps,
  })
  .meta({ id: 'PlatformProviderCredential' });

/** A credential that the catalog names, with what edges report of it. */
export interface ShownPlatformCredential extends EnvCredential, ReportedHealth {
  readonly provider: string;
}

export const presentPlatformCredential = presenter<typeof platformCredential, ShownPlatformCredential>(
  platformCredential,
  {},
);
