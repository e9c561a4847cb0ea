import { List, OperatorResource, type Call } from '@svc/api';
import { AuditLog, PLATFORM_LOG } from '@svc/database';
import { type Collection } from '../collection';
import { auditFilters, platformAuditEntry, presentPlatformAuditEntry } from './audit-entry-schema';

@OperatorResource({
  path: 'audit-log',
  one: 'PlatformAuditEntry',
  many: 'PlatformAuditEntries',
  tag: 'Operator',
  description: 'For the operator of the platform, with the operator’s token.',
})
class PlatformAuditLogController {
  constructor(private readonly auditLog: AuditLog) {}

  @List('', {
    summary: 'The audit entries of the platform, newest first.',
    description:
      'Changes of incidents. What the operator changes in an organization is in the log of that organization. A page can ' +
      'hold fewer items than its limit, or none, while `has_more` is true: continue at `next_cursor`.',
    permission: null,
    scope: null,
    cursor: 'auditEntry',
    query: auditFilters,
    item: platformAuditEntry,
  })
  async list({ page, query }: Call<{ query: typeof auditFilters }>) {
    const { items, ...rest } = await this.auditLog.listAuditEntries(PLATFORM_LOG, page, {
      actions: query.action,
      actorIds: query.actor_id,
      targetIds: query.target_id,
      createdAfter: query.created_after,
      createdBefore: query.created_before,
    });
    return { ...rest, items: items.map(presentPlatformAuditEntry) };
  }
}

export const platformAuditLog: Collection = {
  controllers: [PlatformAuditLogController],
  services: [],
  stores: [AuditLog],
};
