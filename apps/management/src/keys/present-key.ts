import { type z } from 'zod';
import { isPermission } from '@svc/identity';
import { bucketsFor, type Bucket } from '@svc/inference';
import { type ApiKeyDetails } from '@svc/persistence';
import { presentTime, presentTimeOrNull } from '@svc/platform/api';
import { type apiKey } from './key-schema';

export const presentKey = (record: ApiKeyDetails): z.input<typeof apiKey> => ({
  id: record.id,
  organization_id: record.organizationId,
  project_id: record.projectId,
  name: record.name,
  prefix: record.prefix,
  scopes: record.scopes.filter(isPermission),
  state: record.state,
  rate_limit_rpm: record.rateLimitRpm,
  rate_limit_tpm: record.rateLimitTpm,
  effective_rate_limit: effectiveRateLimit(record),
  last_used_at: presentTimeOrNull(record.lastUsedAt),
  expires_at: presentTimeOrNull(record.expiresAt),
  revoked_at: presentTimeOrNull(record.revokedAt),
  created_at: presentTime(record.createdAt),
  updated_at: presentTime(record.updatedAt),
});

/** A call must fit all four buckets that the edge keeps, so the smaller of a unit is what holds. */
function effectiveRateLimit(record: ApiKeyDetails): { rpm: number; tpm: number } {
  const buckets = bucketsFor(
    { rpm: record.rateLimitRpm, tpm: record.rateLimitTpm },
    { rpm: record.organizationRpm, tpm: record.organizationTpm },
  );
  return { rpm: smallest(buckets, 'requests'), tpm: smallest(buckets, 'tokens') };
}

const smallest = (buckets: readonly Bucket[], wanted: Bucket['unit']): number =>
  Math.min(...buckets.filter(({ unit }) => unit === wanted).map(({ capacity }) => capacity));
