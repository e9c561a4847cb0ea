import { AuditLog } from '@svc/persistence';
import { Get, List, Resource, unknownResource, type Call } from '@svc/platform/api';
import { auditEntry, auditFilters } from './audit-entry-schema';
import { presentAuditEntry } from './present-audit-entry';

const ids = { audit_entry_id: 'auditEntry' } as const;

@Resource({
  path: 'audit-log',
  one: 'AuditEntry',
  many: 'AuditEntries',
  tag: 'Audit log',
  description: 'Who changed what of an organization, and when. Entries stay as they were written.',
})
export class AuditLogController {
  constructor(private readonly auditLog: AuditLog) {}

  @List('', {
    summary: 'The changes, newest first.',
    description:
      'With filters that few changes meet, a page can hold less than its limit, or nothing, while `has_more` is true: ' +
      'the search goes on at `next_cursor`.',
    permission: 'audit:read',
    scope: null,
    cursor: 'auditEntry',
    query: auditFilters,
    item: auditEntry,
  })
  async list({ caller, page, query }: Call<{ query: typeof auditFilters }>) {
    const { items, ...rest } = await this.auditLog.list(caller.organizationId, page, {
      action: query.action,
      actorId: query.actor_id,
      targetId: query.target_id,
      createdAfter: query.created_after,
      createdBefore: query.created_before,
    });
    return { ...rest, items: items.map(presentAuditEntry) };
  }

  @Get(':audit_entry_id', {
    summary: 'One change.',
    permission: 'audit:read',
    scope: null,
    ids,
    answer: auditEntry,
  })
  async get({ caller, ids }: Call<{ ids: 'audit_entry_id' }>) {
    const found = await this.auditLog.find(caller.organizationId, ids.audit_entry_id);
    if (found === null) throw unknownResource();
    return presentAuditEntry(found);
  }
}
