import { id } from '@svc/api';
import { keyPolicyDocument, POLICY_LEVELS, policyDocument, projectPolicyDocument } from '@svc/policy';
import { z } from 'zod';
import { type EffectivePolicy } from './effective-policies';

const decidedBy = z
  .array(
    z.object({
      level: z.enum(POLICY_LEVELS),
      policy_id: id('policy').nullable().meta({ description: 'Null for the default.' }),
      version: z.int().min(0).meta({ example: 3 }),
    }),
  )
  .meta({
    description:
      'The levels that hold the value; of lists, each that took something away. Empty for a default.',
  });

const shapes = {
  ...keyPolicyDocument.shape,
  ...projectPolicyDocument.shape,
  ...policyDocument.shape,
};

/** Each field of a policy, with its value and who decided it. */
const fields = z.object(
  Object.fromEntries(
    Object.entries(shapes).map(([name, schema]) => [
      name,
      z.object({ value: (schema as z.ZodDefault<z.ZodType>).unwrap(), decided_by: decidedBy }),
    ]),
  ),
);

const limit = z.int().min(1).nullable().meta({ description: 'A minute; null for no limit.', example: 600 });

export const effectivePolicy = z
  .object({
    project_id: id('project').nullable(),
    api_key_id: id('apiKey').nullable(),
    fields,
    rate_limits: z
      .array(
        z.object({
          scope: z.enum(['key', 'org', 'project', 'end_user']).meta({ description: 'Whose bucket.' }),
          requests: limit,
          tokens: limit,
        }),
      )
      .meta({ description: 'The buckets that a call must fit, each of its own.' }),
  })
  .meta({ id: 'EffectivePolicy' });

export const effectivePolicyQuery = {
  project_id: id('project').optional().meta({ description: 'The project that calls are booked on.' }),
  api_key_id: id('apiKey')
    .optional()
    .meta({ description: 'The key of the calls. Its project is known by it.' }),
};

export const presentEffectivePolicy = ({
  subject,
  fields: effective,
  records,
  rateLimits,
}: EffectivePolicy): z.input<typeof effectivePolicy> => ({
  project_id: subject.projectId,
  api_key_id: subject.apiKeyId,
  fields: Object.fromEntries(
    Object.keys(shapes).map((name) => {
      const field = effective.get(name as Parameters<typeof effective.get>[0]);
      const decided_by = (field?.decidedBy ?? []).map((level) => ({
        level,
        policy_id: records[level]?.id ?? null,
        version: records[level]?.version ?? 0,
      }));
      return [name, { value: field?.value ?? null, decided_by }];
    }),
  ),
  rate_limits: rateLimits.map((rate) => ({ ...rate })),
});
