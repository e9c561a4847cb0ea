import { z } from 'zod';
import { ifMatch } from '@svc/api';
import { DEFAULT_POLICY_DOCUMENT, policyDocument, readStoredPolicy } from '@svc/policy';
import { type PolicyVersionRecord } from '@svc/policy/store';
import { currentFields, ignoredFields, presentVersion, versionFields } from './policy-version-fields';

export const policyVersion = z
  .object({
    id: versionFields.id,
    organization_id: versionFields.organization_id,
    version: versionFields.version,
    ...policyDocument.shape,
    created_by: versionFields.created_by,
    created_at: versionFields.created_at,
  })
  .meta({ id: 'PolicyVersion' });

export const policy = policyVersion
  .extend({
    id: currentFields.id,
    version: currentFields.version,
    created_at: currentFields.created_at,
  })
  .meta({ id: 'Policy' });

/** Also takes the other fields of an answer, so that a policy can be read, changed and sent back whole. */
export const newPolicy = policyDocument.extend(ignoredFields).meta({
  id: 'NewPolicy',
  example: {
    allowed_regions: ['eu-west'],
    denied_providers: ['deepseek'],
    sort: 'latency',
    max_attempts: 3,
  },
});

export const policyHeaders = { 'If-Match': ifMatch() };

export const presentPolicyVersion = (record: PolicyVersionRecord): z.input<typeof policyVersion> => {
  const { created_by, created_at, ...version } = presentVersion(record);
  return { ...version, ...readStoredPolicy(record.document), created_by, created_at };
};

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
