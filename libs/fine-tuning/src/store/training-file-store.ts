import { type Database, lockOrganization, prismaOf, seenBy, type Transaction } from '@svc/database';
import { type Prisma } from '@svc/database/rows';
import { timeOfId, type Slice } from '@svc/kernel';
import { type Sealer } from '@svc/runtime';
import { FILE_KEPT_DAYS } from '../rules/files/file-limits';
import { useFile } from './file-use';
import {
  partLengths,
  toTrainingFileRecord,
  trainingFileKeyContext,
  trainingFileObjectKey,
  type TrainingFileContent,
  type TrainingFileRecord,
} from './training-file-record';

/** How long an upload counts as alive without a word of its process. */
const UPLOAD_LEASE_SECONDS = 120;
const DAY_SECONDS = 86_400;

interface NewUpload {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly creator: { readonly type: string; readonly id: string };
  readonly partBytes: number;
  readonly keyCiphertext: Buffer;
}

interface Uploaded {
  readonly filename: string;
  readonly bytes: number;
  readonly lineCount: number;
  readonly tokenCount: number;
  /** As it was asked for; null where the last use decides. */
  readonly keptSeconds: number | null;
}

/** The number and bytes of an organization's files. */
interface StoredFiles {
  /** Uploads that are under way count too. */
  readonly count: number;
  readonly uploading: number;
  readonly bytes: number;
}

interface FilePage {
  readonly limit: number;
  /** Files after this one in the order of the list; null for the first page. */
  readonly after: string | null;
  readonly order: 'asc' | 'desc';
}

/** Training files of an organization. A project's key sees those of its project only. */
export class TrainingFileStore {
  constructor(private readonly database: Database) {}

  /** Until the transaction ends, nobody else adds a file. */
  async lockStored(tx: Transaction, organizationId: string): Promise<StoredFiles> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    const [stored] = await prisma.$queryRaw<{ count: number; uploading: number; bytes: bigint }[]>`
      SELECT count(*)::int AS count, count(*) FILTER (WHERE state = 'uploading')::int AS uploading,
        coalesce(sum(bytes), 0)::bigint AS bytes
      FROM training_files WHERE organization_id = ${organizationId} AND deleted_at IS NULL
        AND (upload_until IS NULL OR upload_until > clock_timestamp())`;
    return {
      count: stored?.count ?? 0,
      uploading: stored?.uploading ?? 0,
      bytes: Number(stored?.bytes ?? 0),
    };
  }

  /** Notes an upload before the store of objects has anything of it. */
  async begin(tx: Transaction, { creator, keyCiphertext, ...rest }: NewUpload): Promise<void> {
    const { id } = await prismaOf(tx).trainingFile.create({
      data: {
        ...rest,
        filename: '',
        keyCiphertext: Uint8Array.from(keyCiphertext),
        creatorType: creator.type,
        creatorId: creator.id,
        uploadUntil: new Date(),
      },
    });
    await this.prolong(id, prismaOf(tx));
  }

  /** Says that the upload goes on. @returns false where it was given up meanwhile. */
  async prolong(id: string, prisma: Pick<Prisma.TransactionClient, '$executeRaw'> = this.database.prisma) {
    const count = await prisma.$executeRaw`
      UPDATE training_files SET upload_until = clock_timestamp() + ${UPLOAD_LEASE_SECONDS} * interval '1 s'
      WHERE id = ${id} AND state = 'uploading' AND deleted_at IS NULL`;
    return count === 1;
  }

  /** @returns null where the upload was given up meanwhile. */
  async complete(tx: Transaction, id: string, uploaded: Uploaded): Promise<TrainingFileRecord | null> {
    const prisma = prismaOf(tx);
    const { filename, bytes, lineCount, tokenCount, keptSeconds } = uploaded;
    const expiresAt = new Date(timeOfId(id) + (keptSeconds ?? FILE_KEPT_DAYS * DAY_SECONDS) * 1_000);
    const count = await prisma.$executeRaw`
      UPDATE training_files SET state = 'processed', upload_until = NULL, filename = ${filename}, bytes = ${bytes},
        line_count = ${lineCount}, token_count = ${tokenCount}, kept_seconds = ${keptSeconds},
        expires_at = ${expiresAt}
      WHERE id = ${id} AND state = 'uploading' AND deleted_at IS NULL`;
    if (count === 0) return null;
    return toTrainingFileRecord(await prisma.trainingFile.findUniqueOrThrow({ where: { id } }));
  }

  /** Gives an upload up. A worker deletes what is stored of it. */
  async giveUp(id: string): Promise<void> {
    await this.database.prisma.$executeRaw`
      UPDATE training_files SET deleted_at = clock_timestamp()
      WHERE id = ${id} AND state = 'uploading' AND deleted_at IS NULL`;
  }

  /** Hides a file. A worker deletes what is stored of it. */
  async removeFile(tx: Transaction, id: string): Promise<void> {
    await prismaOf(tx).$executeRaw`UPDATE training_files SET deleted_at = clock_timestamp() WHERE id = ${id}`;
  }

  /** @param onlyProject shows only what a key of this project uploaded; null for all. */
  async listFiles(
    organizationId: string,
    { limit, after, order }: FilePage,
    onlyProject: string | null,
  ): Promise<Slice<TrainingFileRecord>> {
    const rows = await this.database.prisma.trainingFile.findMany({
      where: {
        ...seen(organizationId, onlyProject),
        ...(after === null ? {} : { id: order === 'desc' ? { lt: after } : { gt: after } }),
      },
      orderBy: { id: order },
      take: limit + 1,
    });
    return { items: rows.slice(0, limit).map(toTrainingFileRecord), hasMore: rows.length > limit };
  }

  findFile(
    organizationId: string,
    id: string,
    onlyProject: string | null,
  ): Promise<TrainingFileRecord | null> {
    return findFile(this.database.prisma, organizationId, id, onlyProject);
  }

  /** Locks the file until the transaction ends. */
  async lockFile(
    tx: Transaction,
    organizationId: string,
    id: string,
    onlyProject: string | null,
  ): Promise<TrainingFileRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM training_files
      WHERE organization_id = ${organizationId} AND id = ${id} FOR NO KEY UPDATE`;
    return findFile(prisma, organizationId, id, onlyProject);
  }

  /** True where an open job uses the file. The transaction must have locked it, so that no job begins to meanwhile. */
  async isInUse(tx: Transaction, organizationId: string, id: string): Promise<boolean> {
    const count = await prismaOf(tx).fineTuningJob.count({
      where: { organizationId, endedAt: null, OR: [{ trainingFileId: id }, { validationFileId: id }] },
    });
    return count > 0;
  }

  /** Notes a use of a file that the transaction has locked. */
  use(tx: Transaction, id: string): Promise<void> {
    return useFile(tx, id);
  }

  /** How to read the file; null where it is not there. */
  async findContent(
    organizationId: string,
    id: string,
    onlyProject: string | null,
    sealer: Sealer,
  ): Promise<TrainingFileContent | null> {
    const where = { ...seen(organizationId, onlyProject), id };
    const row = await this.database.prisma.trainingFile.findFirst({ where });
    if (row === null) return null;
    const record = toTrainingFileRecord(row);
    return {
      ...record,
      objectKey: trainingFileObjectKey(row),
      fileKey: sealer.open(row.keyCiphertext, trainingFileKeyContext(id)),
      parts: partLengths(record.bytes, row.partBytes),
    };
  }
}

const seen = (organizationId: string, onlyProject: string | null) => ({
  ...seenBy(organizationId, onlyProject),
  state: 'processed',
  deletedAt: null,
});

async function findFile(
  prisma: Prisma.TransactionClient,
  organizationId: string,
  id: string,
  onlyProject: string | null,
): Promise<TrainingFileRecord | null> {
  const row = await prisma.trainingFile.findFirst({ where: { ...seen(organizationId, onlyProject), id } });
  return row && toTrainingFileRecord(row);
}
