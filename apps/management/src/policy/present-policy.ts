import { type z } from 'zod';
import { DEFAULT_POLICY_DOCUMENT, readStoredPolicy } from '@svc/inference';
import { type PolicyVersionRecord } from '@svc/persistence';
import { presentTime } from '@svc/platform/api';
import { type policy, type policyVersion } from './policy-schema';

export const presentPolicyVersion = (record: PolicyVersionRecord): z.input<typeof policyVersion> => ({
  id: record.id,
  organization_id: record.organizationId,
  version: record.version,
  ...readStoredPolicy(record.document),
  created_by: record.createdBy,
  created_at: presentTime(record.createdAt),
});

/** @param current null for an organization that has never written one. */
export const presentPolicy = (
  organizationId: string,
  current: PolicyVersionRecord | null,
): z.input<typeof policy> =>
  current === null
    ? {
        id: null,
        organization_id: organizationId,
        version: 0,
        ...DEFAULT_POLICY_DOCUMENT,
        created_by: null,
        created_at: null,
      }
    : presentPolicyVersion(current);
