import { timeOfId, type Actor, type JsonValue, type NewId, type Page, type Slice } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { type Database } from '../database/database';
import { prismaOf, type Transaction } from '../database/unit-of-work';
import { Prisma } from '../generated/prisma/client';
import { isAnyOf, readHistory, type CreatedWithin, type HistoryTable } from '../history/history-page';
import { labelOf, nameIn, type Label } from './labels';

/** The change of a field. For a secret, neither value is given. */
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
  /** The HTTP request that made the change; null for a change by the service itself. */
  readonly requestId: string | null;
  /** The approval request that the change was made by; null or absent for others. */
  readonly approvalRequestId?: string | null;
}

export interface AuditRecord extends AuditEntry {
  readonly approvalRequestId: string | null;
  readonly id: string;
  readonly targetType: string;
  /** The name of the actor at that time; null for the operator, the service itself, and in older entries. */
  readonly actorLabel: Label;
  /** The name of the target at that time; null where it has no name, and in older entries. */
  readonly targetLabel: Label;
  /** The time in its id. The history is sorted and filtered by it. */
  readonly createdAt: Date;
}

/** Stands for the organization in entries about the platform itself, which the operator reads. */
export const PLATFORM_LOG = 'platform';

/** An entry passes each filter that is given, with any of its values. */
interface AuditFilter extends CreatedWithin {
  /** `api_key.update`, or `api_key.*` for every action of the noun. */
  readonly actions?: readonly string[] | undefined;
  readonly actorIds?: readonly string[] | undefined;
  readonly targetIds?: readonly string[] | undefined;
}

/**
 * Who changed what (docs/reference/management-conventions.md#audit-log). Entries are written in the transaction of
 * the change, and never changed.
 */
export class AuditLog {
  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
  ) {}

  async append(tx: Transaction, entry: AuditEntry): Promise<void> {
    await prismaOf(tx).$executeRaw(auditInsert(this.newId('auditEntry'), entry));
  }

  /**
   * Records a change of a user's account in the log of each organization where the user is an active member. The target
   * is the membership there.
   */
  async appendOfMember(
    tx: Transaction,
    userId: string,
    entry: Omit<AuditEntry, 'organizationId' | 'targetId'>,
  ): Promise<void> {
    const memberships = await prismaOf(tx).member.findMany({
      where: { userId, state: 'active' },
      select: { id: true, organizationId: true },
    });
    for (const { id: targetId, organizationId } of memberships) {
      await this.append(tx, { ...entry, organizationId, targetId });
    }
  }

  /** Newest first. */
  async listAuditEntries(
    organizationId: string,
    page: Page,
    filter: AuditFilter,
  ): Promise<Slice<AuditRecord>> {
    const query = { organizationId, page, within: filter, conditions: conditionsOf(filter) };
    const { items, ...rest } = await readHistory<Row>(this.database, auditEntries, query);
    return { ...rest, items: items.map(toRecord) };
  }

  async findAuditEntry(organizationId: string, id: string): Promise<AuditRecord | null> {
    const [row] = await this.database.prisma.$queryRaw<Row[]>`
      SELECT ${columns} FROM audit_entries WHERE organization_id = ${organizationId} AND id = ${id}`;
    return row === undefined ? null : toRecord(row);
  }
}

/** The statement that writes an entry. Labels are read as its transaction sees them. */
export function auditInsert(
  id: string,
  { organizationId, actor, action, targetId, changes, requestId, approvalRequestId = null }: AuditEntry,
): Prisma.Sql {
  const targetType = targetTypeOf(action);
  const targetLabel = nameIn(changes) ?? labelOf(targetType, targetId);
  return Prisma.sql`
    INSERT INTO audit_entries (id, organization_id, actor_type, actor_id, actor_label, action, target_type, target_id,
      target_label, changes, request_id, approval_request_id)
    VALUES (${id}, ${organizationId}, ${actor.type}, ${actor.id}, ${labelOf(actor.type, actor.id)}, ${action},
      ${targetType}, ${targetId}, ${targetLabel}, ${JSON.stringify(changes)}::jsonb, ${requestId}, ${approvalRequestId})`;
}

const targetTypeOf = (action: string): string => action.slice(0, action.lastIndexOf('.'));

const columns = Prisma.sql`id, organization_id AS "organizationId", actor_type AS "actorType", actor_id AS "actorId",
  actor_label AS "actorLabel", action, target_type AS "targetType", target_id AS "targetId",
  target_label AS "targetLabel", changes, request_id AS "requestId",
  approval_request_id AS "approvalRequestId"`;

export const auditEntries: HistoryTable = { name: Prisma.sql`audit_entries`, idKind: 'auditEntry', columns };

const conditionsOf = ({ actions, actorIds, targetIds }: AuditFilter): readonly Prisma.Sql[] => [
  ...(actions === undefined ? [] : [isAnyAction(actions)]),
  ...(actorIds === undefined ? [] : [isAnyOf(Prisma.sql`actor_id`, actorIds)]),
  ...(targetIds === undefined ? [] : [isAnyOf(Prisma.sql`target_id`, targetIds)]),
];

const ANY_VERB = '.*';

/** `<noun>.<verb>`, or `<noun>.*`: a noun with any verb is the type of the target. */
export function isAnyAction(actions: readonly string[]): Prisma.Sql {
  const nouns = actions.filter((action) => action.endsWith(ANY_VERB));
  const whole = actions.filter((action) => !action.endsWith(ANY_VERB));
  const either = [
    ...(whole.length === 0 ? [] : [isAnyOf(Prisma.sql`action`, whole)]),
    ...(nouns.length === 0 ? [] : [isAnyOf(Prisma.sql`target_type`, nouns.map(targetTypeOf))]),
  ];
  return Prisma.sql`(${Prisma.join(either, ' OR ')})`;
}

interface Row extends Omit<AuditRecord, 'actor' | 'createdAt'> {
  readonly actorType: Actor['type'];
  readonly actorId: string | null;
}

const toRecord = (row: Row): AuditRecord => ({
  id: row.id,
  organizationId: row.organizationId,
  actor: { type: row.actorType, id: row.actorId },
  actorLabel: row.actorLabel,
  targetLabel: row.targetLabel,
  action: row.action,
  targetType: row.targetType,
  targetId: row.targetId,
  changes: row.changes,
  requestId: row.requestId,
  approvalRequestId: row.approvalRequestId,
  createdAt: new Date(timeOfId(row.id)),
});
