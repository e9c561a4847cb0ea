import { z } from 'zod';
import { presentTimeOrNull } from '@svc/api';
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
export interface ShownPlatformCredential {
  readonly provider: string;
  readonly credential: EnvCredential;
  readonly reported: ReportedHealth;
}

export const presentPlatformCredential = ({
  provider,
  credential: { env, weight },
  reported: { health, retryAt, headroomBps },
}: ShownPlatformCredential): z.input<typeof platformCredential> => ({
  provider,
  env,
  weight,
  health,
  retry_at: presentTimeOrNull(retryAt),
  headroom_bps: headroomBps,
});
