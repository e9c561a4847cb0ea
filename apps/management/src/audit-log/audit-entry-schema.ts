import { z } from 'zod';
import { anyOf, id, pointInTime, presentTime, timestamp } from '@svc/api';
import { auditRow } from '@svc/exports';
import { type AuditRecord } from '@svc/database';

const idOfAny = () =>
  z.string().regex(/^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/, 'must be an id of the form <prefix>_…');
const action = () =>
  z
    .string()
    .regex(/^[a-z_]{1,50}\.([a-z_]{1,50}|\*)$/, 'must be of the form <noun>.<verb> or <noun>.*')
    .meta({
      description: '`<noun>.<verb>`, or `<noun>.*` for all that was done to the noun.',
      example: 'api_key.update',
    });

const KEY = 'key_06dpm2q4x8k3c0v9r7t5w1hzny';
const USER = 'usr_06dpm2q4x8k3c0v9r7t5w1hzny';

const EMAIL = 'ada@example.com';

const label = (description: string, example: string) =>
  z
    .string()
    .nullable()
    .meta({
      description: `${description} Null: it has no name, or the entry is older than labels.`,
      example,
    });

const change = z
  .object({
    from: z
      .unknown()
      .optional()
      .meta({ description: 'The value before; absent for a new resource.', example: 600 }),
    to: z.unknown().optional().meta({ example: 1_200 }),
  })
  .meta({ id: 'FieldChange', description: 'The value of a secret is never shown.' });

export const auditEntry = z
  .object({
    id: id('auditEntry'),
    organization_id: id('organization'),
    actor: z.object({
      type: z.enum(['user', 'api_key', 'oauth_app', 'operator', 'system']),
      id: z
        .string()
        .nullable()
        .meta({ description: 'Null for the operator, and for the service itself.', example: USER }),
      label: label('What the actor was called then: its name, or the e-mail address of a user.', EMAIL),
    }),
    action: z.string().meta({ description: '`<noun>.<verb>`', example: 'api_key.update' }),
    target: z.object({
      type: z.string().meta({ example: 'api_key' }),
      id: z.string().meta({ example: KEY }),
      label: label('What the target was called then.', 'Billing'),
    }),
    changes: z.record(z.string(), change).meta({
      description: 'The changed fields.',
      example: { rate_limit_rpm: { from: 600, to: 1_200 } },
    }),
    request_id: id('request').nullable().meta({
      description: '`X-Request-Id` of the call that made the change; null for the service itself.',
    }),
    approval_request_id: id('approvalRequest').nullable().meta({
      description: 'The approval request that the change was made by; null for others.',
    }),
    created_at: timestamp(),
  })
  .meta({ id: 'AuditEntry' });

export const platformAuditEntry = auditEntry
  .omit({ organization_id: true, approval_request_id: true })
  .meta({ id: 'PlatformAuditEntry' });

export const auditFilters = {
  action: anyOf(action()).optional(),
  actor_id: anyOf(idOfAny()).optional().meta({ example: USER }),
  target_id: anyOf(idOfAny()).optional().meta({ example: KEY }),
  created_after: pointInTime().optional().meta({ description: 'Changes made then or later.' }),
  created_before: pointInTime().optional().meta({ description: 'Changes made earlier.' }),
};

const named = ({ actor, actorLabel, targetType, targetId, targetLabel }: AuditRecord) => ({
  actor: { type: actor.type, id: actor.id, label: actorLabel },
  target: { type: targetType, id: targetId, label: targetLabel },
});

export const presentPlatformAuditEntry = (record: AuditRecord): z.input<typeof platformAuditEntry> => ({
  id: record.id,
  ...named(record),
  action: record.action,
  changes: record.changes,
  request_id: record.requestId,
  created_at: presentTime(record.createdAt),
});

export const presentAuditEntry = (record: AuditRecord): z.input<typeof auditEntry> => ({
  ...auditRow(record),
  ...named(record),
});
