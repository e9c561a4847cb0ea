import { timeOfId, type JsonValue, type NewId } from '@svc/kernel';
import { systemIds } from '@svc/platform';
import { type Actor, type Page, type Slice } from '@svc/platform/api';
import { type Database } from '../database/database';
import { prismaOf, type Transaction } from '../database/unit-of-work';
import { Prisma } from '../generated/prisma/client';
import { readHistory, type CreatedWithin, type HistoryTable } from '../history/history-page';

/** What a change did to a field. A secret shows neither side. */
export interface FieldChange {
  readonly from?: JsonValue;
  readonly to?: JsonValue;
}

export type Changes = Readonly<Record<string, FieldChange>>;

export interface AuditEntry {
  readonly organizationId: string;
  readonly actor: Actor;
  /** `<target type>.<verb>`: `api_key.update`. */
  readonly action: `${string}.${string}`;
  readonly targetId: string;
  readonly changes: Changes;
  /** Of the HTTP request that made it; null for the service's own doing. */
  readonly requestId: string | null;
}

export interface AuditRecord extends AuditEntry {
  readonly id: string;
  readonly targetType: string;
  /** The time in its id, which is what the history is sorted and searched by. */
  readonly createdAt: Date;
}

export interface AuditFilter extends CreatedWithin {
  readonly action?: string | undefined;
  readonly actorId?: string | undefined;
  readonly targetId?: string | undefined;
}

/** Who changed what (contract.md section 3). Entries are written in the transaction of the change, and never changed. */
export class AuditLog {
  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
  ) {}

  async append(
    tx: Transaction,
    { organizationId, actor, action, targetId, changes, requestId }: AuditEntry,
  ): Promise<void> {
    await prismaOf(tx).auditEntry.create({
      data: {
        id: this.newId('auditEntry'),
        organizationId,
        actorType: actor.type,
        actorId: actor.id,
        action,
        targetType: targetTypeOf(action),
        targetId,
        changes: changes as Prisma.InputJsonObject,
        requestId,
      },
    });
  }

  /** Newest first. */
  async list(organizationId: string, page: Page, filter: AuditFilter): Promise<Slice<AuditRecord>> {
    const query = { organizationId, page, within: filter, conditions: conditionsOf(filter) };
    const { items, ...rest } = await readHistory<Row>(this.database, auditEntries, query);
    return { ...rest, items: items.map(toRecord) };
  }

  async find(organizationId: string, id: string): Promise<AuditRecord | null> {
    const [row] = await this.database.prisma.$queryRaw<Row[]>`
      SELECT ${columns} FROM audit_entries WHERE organization_id = ${organizationId} AND id = ${id}`;
    return row === undefined ? null : toRecord(row);
  }
}

const targetTypeOf = (action: string): string => action.slice(0, action.lastIndexOf('.'));

const columns = Prisma.sql`id, organization_id AS "organizationId", actor_type AS "actorType", actor_id AS "actorId",
  action, target_type AS "targetType", target_id AS "targetId", changes, request_id AS "requestId"`;

export const auditEntries: HistoryTable = { name: Prisma.sql`audit_entries`, idKind: 'auditEntry', columns };

const conditionsOf = ({ action, actorId, targetId }: AuditFilter): readonly Prisma.Sql[] => [
  ...(action === undefined ? [] : [Prisma.sql`action = ${action}`]),
  ...(actorId === undefined ? [] : [Prisma.sql`actor_id = ${actorId}`]),
  ...(targetId === undefined ? [] : [Prisma.sql`target_id = ${targetId}`]),
];

interface Row extends Omit<AuditRecord, 'actor' | 'createdAt'> {
  readonly actorType: Actor['type'];
  readonly actorId: string | null;
}

const toRecord = (row: Row): AuditRecord => ({
  id: row.id,
  organizationId: row.organizationId,
  actor: { type: row.actorType, id: row.actorId },
  action: row.action,
  targetType: row.targetType,
  targetId: row.targetId,
  changes: row.changes,
  requestId: row.requestId,
  createdAt: new Date(timeOfId(row.id)),
});
