import { type z } from 'zod';
import { type ProviderCredential } from '@svc/persistence';
import { presentTime, presentTimeOrNull } from '@svc/platform/api';
import { type providerCredential } from './provider-credential-schema';

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
  created_at: presentTime(credential.createdAt),
  updated_at: presentTime(credential.updatedAt),
});
