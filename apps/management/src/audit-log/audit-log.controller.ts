import { Get, List, Resource, known, type Call } from '@svc/api';
import { AuditLog } from '@svc/database';
import { type Collection } from '../collection';
import { auditEntry, auditFilters, presentAuditEntry } from './audit-entry-schema';

const ids = { audit_entry_id: 'auditEntry' } as const;

@Resource({
  path: 'audit-log',
  one: 'AuditEntry',
  many: 'AuditEntries',
  tag: 'Audit log',
  description: 'Who changed what in an organization, and when. Entries never change.',
})
class AuditLogController {
  constructor(private readonly auditLog: AuditLog) {}

  @List('', {
    summary: 'The audit entries, newest first.',
    description:
      'A page can hold fewer items than its limit, or none, while `has_more` is true: continue at `next_cursor`.',
    permission: 'audit:read',
    scope: null,
    cursor: 'auditEntry',
    query: auditFilters,
    item: auditEntry,
  })
  async list({ caller, page, query }: Call<{ query: typeof auditFilters }>) {
    const { items, ...rest } = await this.auditLog.listAuditEntries(caller.organizationId, page, {
      actions: query.action,
      actorIds: query.actor_id,
      targetIds: query.target_id,
      createdAfter: query.created_after,
      createdBefore: query.created_before,
    });
    return { ...rest, items: items.map(presentAuditEntry) };
  }

  @Get(':audit_entry_id', {
    summary: 'One audit entry.',
    permission: 'audit:read',
    scope: null,
    ids,
    answer: auditEntry,
  })
  async get({ caller, ids }: Call<{ ids: 'audit_entry_id' }>) {
    const found = known(await this.auditLog.findAuditEntry(caller.organizationId, ids.audit_entry_id));
    return presentAuditEntry(found);
  }
}

export const auditLog: Collection = {
  controllers: [AuditLogController],
  services: [],
  stores: [AuditLog],
};
