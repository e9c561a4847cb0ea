import { z } from 'zod';
import { id, pointInTime, timestamp } from '@svc/platform/api';

const idOfAny = () =>
  z.string().regex(/^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/, 'must be an id of the form <prefix>_…');
const action = () =>
  z
    .string()
    .regex(/^[a-z_]{1,50}\.[a-z_]{1,50}$/, 'must be of the form <noun>.<verb>')
    .meta({ example: 'api_key.update' });

const KEY = 'key_06dpm2q4x8k3c0v9r7t5w1hzny';
const USER = 'usr_06dpm2q4x8k3c0v9r7t5w1hzny';

const change = z
  .object({
    from: z.unknown().optional().meta({ description: 'Absent where the thing is new.', example: 600 }),
    to: z.unknown().optional().meta({ example: 1_200 }),
  })
  .meta({ id: 'FieldChange', description: 'Of a secret neither side is shown.' });

export const auditEntry = z
  .object({
    id: id('auditEntry'),
    organization_id: id('organization'),
    actor: z.object({
      type: z.enum(['user', 'api_key', 'oauth_app', 'operator', 'system']),
      id: z
        .string()
        .nullable()
        .meta({ description: 'Null for the operator and for the service’s own doing.', example: USER }),
    }),
    action: z.string().meta({ description: '`<noun>.<verb>`', example: 'api_key.update' }),
    target: z.object({
      type: z.string().meta({ example: 'api_key' }),
      id: z.string().meta({ example: KEY }),
    }),
    changes: z.record(z.string(), change).meta({
      description: 'What became different, by field.',
      example: { rate_limit_rpm: { from: 600, to: 1_200 } },
    }),
    request_id: id('request').nullable().meta({
      description: '`X-Request-Id` of the call that did it; null for the service’s own doing.',
    }),
    created_at: timestamp(),
  })
  .meta({ id: 'AuditEntry' });

export const auditFilters = {
  action: action().optional(),
  actor_id: idOfAny().optional().meta({ example: USER }),
  target_id: idOfAny().optional().meta({ example: KEY }),
  created_after: pointInTime().optional().meta({ description: 'What was done then or later.' }),
  created_before: pointInTime().optional().meta({ description: 'What was done earlier.' }),
};
