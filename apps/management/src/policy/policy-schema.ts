import { z } from 'zod';
import { policyDocument } from '@svc/inference';
import { id, ifMatch, timestamp } from '@svc/platform/api';

export const policyVersion = z
  .object({
    id: id('policy'),
    organization_id: id('organization'),
    version: z.int().min(1).meta({ description: 'Counts up by one.', example: 3 }),
    ...policyDocument.shape,
    created_by: id('user').nullable().meta({ description: 'The user who wrote it; null where a key did.' }),
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
  schema.optional().meta({ description: 'As it was read: it is ignored.', readOnly: true });

const { id: readId, organization_id, version, created_by, created_at } = policy.shape;

/** Takes what an answer holds beside the policy too, so that one can be read, changed and sent back whole. */
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

export const policyHeaders = { 'If-Match': ifMatch() };
