import { type z } from 'zod';
import { type AuditRecord } from '@svc/persistence';
import { presentTime } from '@svc/platform/api';
import { type auditEntry } from './audit-entry-schema';

export const presentAuditEntry = (record: AuditRecord): z.input<typeof auditEntry> => ({
  id: record.id,
  organization_id: record.organizationId,
  actor: { type: record.actor.type, id: record.actor.id },
  action: record.action,
  target: { type: record.targetType, id: record.targetId },
  changes: record.changes,
  request_id: record.requestId,
  created_at: presentTime(record.createdAt),
});
