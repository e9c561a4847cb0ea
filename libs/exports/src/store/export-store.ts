import {
  type Database,
  lockOrganization,
  olderThan,
  pageArguments,
  prismaOf,
  seenBy,
  sliceOf,
  type Transaction,
} from '@svc/database';
import { type Prisma } from '@svc/database/rows';
import { timeOfId, type Page, type Slice } from '@svc/kernel';
import { type Sealer } from '@svc/runtime';
import {
  exportKeyContext,
  exportObjectKey,
  toExportRecord,
  type ExportOrder,
  type ExportRecord,
} from './export-record';

interface ExportIdempotency {
  readonly key: string;
  /** Of the order: another one under the same key is refused. */
  readonly hash: string;
}

interface NewExport extends ExportOrder {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly creator: { readonly type: string; readonly id: string; readonly userId: string | null };
  readonly idempotency: ExportIdempotency | null;
}

/** The file of a completed export, and how to read it. */
export interface ExportFile extends ExportRecord {
  readonly objectKey: string;
  /** The key that it is sealed with. */
  readonly fileKey: Buffer;
  /** The bytes of each part in the file. */
  readonly parts: readonly number[];
}

interface ExportFilterOfList {
  readonly state?: string | undefined;
  readonly kind?: string | undefined;
}

/** Exports as people ask for, read and delete them. A worker writes their files. */
export class ExportStore {
  constructor(private readonly database: Database) {}

  /** Newest first. @param onlyProject shows only what a key of this project asked for; null for all. */
  async listExports(
    organizationId: string,
    page: Page,
    { state, kind }: ExportFilterOfList,
    onlyProject: string | null,
  ): Promise<Slice<ExportRecord>> {
    const rows = await this.database.prisma.export.findMany({
      ...pageArguments(page),
      where: {
        ...seen(organizationId, onlyProject),
        ...olderThan(page),
        ...(state === undefined ? {} : { state }),
        ...(kind === undefined ? {} : { kind }),
      },
    });
    return sliceOf(rows, page, toExportRecord);
  }

  findExport(organizationId: string, id: string, onlyProject: string | null): Promise<ExportRecord | null> {
    return findExport(this.database.prisma, organizationId, id, onlyProject);
  }

  /** Locks the export until the transaction ends. */
  async lockExport(
    tx: Transaction,
    organizationId: string,
    id: string,
    onlyProject: string | null,
  ): Promise<ExportRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM exports
      WHERE organization_id = ${organizationId} AND id = ${id} FOR NO KEY UPDATE`;
    return findExport(prisma, organizationId, id, onlyProject);
  }

  /** Until the transaction ends, nobody else adds one. @returns how many wait. */
  async lockQueued(tx: Transaction, organizationId: string): Promise<number> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    return prisma.export.count({ where: { organizationId, state: 'queued' } });
  }

  /**
   * The export that was asked for with this key in the last 24 hours. Must follow {@link lockQueued}.
   * @param projectId the asking key's project, which sees no other export; null for one of the whole organization.
   */
  async findByKey(
    tx: Transaction,
    organizationId: string,
    projectId: string | null,
    key: string,
  ): Promise<{ readonly record: ExportRecord; readonly hash: string | null } | null> {
    const prisma = prismaOf(tx);
    const [found] = await prisma.$queryRaw<{ id: string; hash: string | null }[]>`
      SELECT id, idempotency_hash AS hash FROM exports
      WHERE organization_id = ${organizationId} AND project_id IS NOT DISTINCT FROM ${projectId}
        AND idempotency_key = ${key} AND deleted_at IS NULL
        AND created_at > clock_timestamp() - interval '24 h' ORDER BY id DESC LIMIT 1`;
    const record = found && (await findExport(prisma, organizationId, found.id, null));
    return found === undefined || record == null ? null : { record, hash: found.hash };
  }

  async createExport(tx: Transaction, created: NewExport): Promise<ExportRecord> {
    const { start, end, creator, idempotency, filter, columns, ...rest } = created;
    const row = await prismaOf(tx).export.create({
      data: {
        ...rest,
        rangeStart: start,
        rangeEnd: end,
        filter: filter as Prisma.InputJsonObject,
        columns: [...columns],
        creatorType: creator.type,
        creatorId: creator.id,
        creatorUserId: creator.userId,
        idempotencyKey: idempotency?.key ?? null,
        idempotencyHash: idempotency?.hash ?? null,
      },
    });
    return toExportRecord(row);
  }

  /** Ends what is queued or running. What the store has of it goes when the worker is done with it. @param found locked. */
  async cancelExport(tx: Transaction, { id }: ExportRecord): Promise<ExportRecord> {
    await prismaOf(tx).$executeRaw`
      UPDATE exports SET state = 'cancelled', ended_at = clock_timestamp()
      WHERE id = ${id} AND state IN ('queued', 'running')`;
    return toExportRecord(await prismaOf(tx).export.findUniqueOrThrow({ where: { id } }));
  }

  /** Hides what has ended. A worker deletes the file, then the record. @param found locked. */
  async removeExport(tx: Transaction, { id }: ExportRecord): Promise<void> {
    await prismaOf(tx).$executeRaw`UPDATE exports SET deleted_at = clock_timestamp() WHERE id = ${id}`;
  }

  /** The organization of an export that can be seen; null where there is none, or where the organization is suspended. */
  async organizationOf(id: string): Promise<string | null> {
    const [found] = await this.database.prisma.$queryRaw<{ organizationId: string }[]>`
      SELECT e.organization_id AS "organizationId" FROM exports e JOIN organizations o ON o.id = e.organization_id
      WHERE e.id = ${id} AND e.deleted_at IS NULL AND o.state = 'active'`;
    return found?.organizationId ?? null;
  }

  /** The file of an export that is completed and has not expired. */
  async findFile(organizationId: string, id: string, sealer: Sealer): Promise<ExportFile | null> {
    const { prisma } = this.database;
    const [live] = await prisma.$queryRaw<unknown[]>`SELECT FROM exports
      WHERE id = ${id} AND state = 'completed' AND expires_at > clock_timestamp()`;
    if (live === undefined) return null;
    const row = await prisma.export.findFirst({
      where: { ...seen(organizationId, null), id, state: 'completed' },
      include: { parts: { orderBy: { number: 'asc' } } },
    });
    if (row?.keyCiphertext == null) return null;
    return {
      ...toExportRecord(row),
      objectKey: exportObjectKey(row),
      fileKey: sealer.open(row.keyCiphertext, exportKeyContext(id)),
      parts: row.parts.map(({ bytes }) => bytes),
    };
  }

  /** The month from which calls are still there; null where none was dropped yet. */
  async callsKeptSince(): Promise<Date | null> {
    const [kept] = await this.database.prisma.$queryRaw<{ firstId: string | null }[]>`
      SELECT min(from_id) AS "firstId" FROM request_months
      HAVING bool_and(from_id IS NOT NULL)`;
    return kept?.firstId == null ? null : new Date(timeOfId(kept.firstId));
  }
}

const seen = (organizationId: string, onlyProject: string | null) => ({
  ...seenBy(organizationId, onlyProject),
  deletedAt: null,
});

async function findExport(
  prisma: Prisma.TransactionClient,
  organizationId: string,
  id: string,
  onlyProject: string | null,
): Promise<ExportRecord | null> {
  const row = await prisma.export.findFirst({ where: { ...seen(organizationId, onlyProject), id } });
  return row && toExportRecord(row);
}
