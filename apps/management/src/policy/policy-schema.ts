import { z } from 'zod';
import { id, ifMatch, presentTime, timestamp } from '@svc/api';
import { DEFAULT_POLICY_DOCUMENT, policyDocument, readStoredPolicy, type PolicyDocument } from '@svc/policy';
import { type PolicyVersionRecord } from '@svc/policy/store';

export const policyVersion = z
  .object({
    id: id('policy'),
    organization_id: id('organization'),
    version: z.int().min(1).meta({ description: 'Counts up by one.', example: 3 }),
    ...policyDocument.shape,
    created_by: id('user')
      .nullable()
      .meta({ description: 'The user who wrote the version; null if a key did.' }),
    created_at: timestamp(),
  })
  .meta({ id: 'PolicyVersion' });

const { id: versionId, created_at: createdAt } = policyVersion.shape;

export const policy = policyVersion
  .extend({
    id: versionId.nullable().meta({ description: 'Null for the default.' }),
    version: z.int().min(0).meta({ description: 'Counts up by one from 0, the default.', example: 3 }),
    created_at: createdAt.nullable().meta({ description: 'Null for the default.' }),
  })
  .meta({ id: 'Policy' });

const ignored = <Schema extends z.ZodType>(schema: Schema) =>
  schema.optional().meta({ description: 'Ignored. It may be sent back as it was read.', readOnly: true });

const { id: readId, organization_id, version, created_by, created_at } = policy.shape;

/** Also takes the other fields of an answer, so that a policy can be read, changed and sent back whole. */
export const newPolicy = policyDocument
  .extend({
    id: ignored(readId),
    organization_id: ignored(organization_id),
    version: ignored(version),
    created_by: ignored(created_by),
    created_at: ignored(created_at),
  })
  .meta({
    id: 'NewPolicy',
    example: {
      allowed_regions: ['eu-west'],
      denied_providers: ['deepseek'],
      sort: 'latency',
      max_attempts: 3,
    },
  });

/** The document that was written, without what is ignored. */
export function documentIn(body: z.output<typeof newPolicy>): PolicyDocument {
  const {
    id: _id,
    organization_id: _of,
    version: _version,
    created_by: _by,
    created_at: _at,
    ...document
  } = body;
  return document;
}

export const policyHeaders = { 'If-Match': ifMatch() };

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
