import {
  AuditLog,
  type Claim,
  type Database,
  LeasedWork,
  LeaseLostError,
  Outbox,
  prismaOf,
  type Transaction,
  UnitOfWork,
} from '@svc/database';
import { type Export } from '@svc/database/rows';
import { recordEvent } from '@svc/events';
import { type NewId } from '@svc/kernel';
import { systemIds, type Sealer } from '@svc/runtime';
import { type ExportFailure, FRUITLESS_CLAIMS_MAX } from '../rules/export-kinds';
import { endExport } from '../store/end-export';
import { lockLeased, toLease, type ExportLease } from '../store/export-lease';
import { exportKeyContext } from '../store/export-record';

const POSTPONED_MS_MAX = 30_000;
const UNIQUE_VIOLATION = '23505';

const EXPORTS = {
  table: 'exports',
  what: 'the export',
  where: `due.state IN ('queued', 'running') AND NOT EXISTS (SELECT FROM exports r
    WHERE r.organization_id = due.organization_id AND r.state = 'running' AND r.id <> due.id)`,
  orderBy: 'due.id',
  // The upload is noted before the store is asked for anything.
  onClaim: `state = 'running', started_at = coalesce(started_at, clock_timestamp()),
    fruitless_claims = fruitless_claims + 1, stored = true`,
};

/** A part that the store has, to be committed. */
interface WrittenPart {
  readonly etag: string;
  readonly storedBytes: number;
  readonly bytes: number;
  readonly rows: number;
  /** After its last row. */
  readonly cursor: string | null;
  /** True where it is the last. */
  readonly isLast: boolean;
}

interface WorkOptions {
  /** Seals the keys of files with the master key. */
  readonly sealer: Sealer;
  readonly newId?: NewId;
  readonly leaseMs?: number;
}

/**
 * The work of exports, one part a claim (docs/decisions/0041). Any number of workers share it; the oldest export comes first, and one of an
 * organization runs at a time. Each step is committed under the number of its claim, and judges the rights of the creator anew.
 */
export class ExportWork {
  private readonly unitOfWork: UnitOfWork;
  private readonly outbox = new Outbox();
  private readonly enders: Parameters<typeof endExport>[3];
  private readonly sealer: Sealer;
  private readonly newId: NewId;
  private readonly leases: LeasedWork;

  constructor(database: Database, { sealer, newId = systemIds, leaseMs }: WorkOptions) {
    this.unitOfWork = new UnitOfWork(database);
    this.enders = { auditLog: new AuditLog(database, newId), outbox: this.outbox, newId };
    this.sealer = sealer;
    this.newId = newId;
    this.leases = new LeasedWork(database, EXPORTS, leaseMs);
  }

  /** Asks whether any export may be claimed. */
  isDue(): Promise<boolean> {
    return this.leases.isDue();
  }

  /** @returns the oldest export that waits for a worker and may go on; null without one. */
  async claim(): Promise<ExportLease | null> {
    for (;;) {
      const claimed = await this.claimOldest();
      if (claimed === null) return null;
      const leased = await this.lease(claimed);
      if (leased !== null) return leased;
    }
  }

  /** Renews the lease. @throws LeaseLostError also when the export may not go on: then it has ended. */
  async keep(lease: ExportLease): Promise<void> {
    await this.within(lease, (tx) => this.leases.prolong(lease, tx));
  }

  /** Notes what the store knows the upload by, and a new key for the file. @throws LeaseLostError */
  async begin(lease: ExportLease, uploadId: string, fileKey: Buffer): Promise<ExportLease> {
    const keyCiphertext = this.sealer.seal(fileKey, exportKeyContext(lease.id));
    await this.within(lease, async (tx) => {
      await prismaOf(tx).export.update({
        where: { id: lease.id },
        data: { uploadId, keyCiphertext: Uint8Array.from(keyCiphertext) },
      });
    });
    return { ...lease, upload: { id: uploadId, keyCiphertext } };
  }

  /** The key of the file. */
  fileKeyOf({ id, upload }: ExportLease): Buffer {
    if (upload === null) throw new Error('The upload has not begun');
    return this.sealer.open(upload.keyCiphertext, exportKeyContext(id));
  }

  /** Commits a part, and gives the lease back. @throws LeaseLostError: the part does not count. */
  async commitPart(lease: ExportLease, part: WrittenPart): Promise<void> {
    const { etag, storedBytes, bytes, rows, cursor, isLast } = part;
    // Times have milliseconds, and rounded up one would not be due yet.
    await this.within(lease, async (tx) => {
      const prisma = prismaOf(tx);
      const number = lease.parts.length + 1;
      await prisma.exportPart.create({
        data: { exportId: lease.id, number, etag, storedBytes, bytes, rows },
      });
      await prisma.$executeRaw`
        UPDATE exports SET row_count = row_count + ${rows}, bytes = bytes + ${bytes}, cursor = ${cursor}, drained = ${isLast},
          fruitless_claims = 0, lease_until = NULL, due_at = date_trunc('milliseconds', clock_timestamp())
        WHERE id = ${lease.id}`;
    });
  }

  /** @throws LeaseLostError */
  async complete(lease: ExportLease, sha256: string, retentionDays: number): Promise<void> {
    const { id, organizationId, kind, format } = lease;
    await this.within(lease, async (tx) => {
      const [completed] = await prismaOf(tx).$queryRaw<CompletedRow[]>`
        UPDATE exports SET state = 'completed', sha256 = ${sha256}, lease_until = NULL, completed_at = now(), ended_at = now(),
          expires_at = now() + ${retentionDays}::float8 * interval '1 day'
        WHERE id = ${id}
        RETURNING row_count AS "rowCount", bytes, completed_at AS "completedAt", expires_at AS "expiresAt"`;
      if (completed === undefined) throw new Error('An export that is locked is there');
      const { rowCount, bytes, completedAt, expiresAt } = completed;
      const data = {
        export_id: id,
        kind,
        row_count: Number(rowCount),
        expires_at: expiresAt.toISOString(),
        format,
        bytes: Number(bytes),
      };
      const atMs = completedAt.getTime();
      await this.outbox.append(
        tx,
        recordEvent(this.newId('event'), 'export.completed', organizationId, atMs, data),
      );
    });
  }

  /** @throws LeaseLostError */
  fail(lease: ExportLease, code: ExportFailure): Promise<void> {
    return this.within(lease, (tx, row) => endExport(tx, row, { state: 'failed', code }, this.enders));
  }

  /**
   * Gives an export back after a failed try: it is due again after a pause, and fails after the last try.
   * @throws LeaseLostError
   */
  async postpone(lease: ExportLease, code: ExportFailure): Promise<void> {
    if (lease.fruitlessClaims >= FRUITLESS_CLAIMS_MAX) return this.fail(lease, code);
    const pauseMs = Math.min(1_000 * 2 ** (lease.fruitlessClaims - 1), POSTPONED_MS_MAX);
    await this.within(lease, (tx) => this.leases.postpone(lease, pauseMs, tx));
  }

  /** Begins the file anew after a failed try, because what was stored of it is not there. @throws LeaseLostError */
  async restart(lease: ExportLease): Promise<void> {
    await this.within(lease, async (tx) => {
      const prisma = prismaOf(tx);
      await prisma.exportPart.deleteMany({ where: { exportId: lease.id } });
      await prisma.export.update({
        where: { id: lease.id },
        data: { rowCount: 0, bytes: 0, cursor: null, drained: false, uploadId: null, keyCiphertext: null },
      });
    });
    // The tries that stored no part go on being counted, so that a store that loses each file ends it.
    await this.postpone(lease, 'storage_unavailable');
  }

  /** Gives an export back that was not tried: the service stops, or another worker has it. */
  async release(lease: ExportLease): Promise<void> {
    await this.leases.giveBack(lease, 'fruitless_claims = greatest(fruitless_claims - 1, 0)');
  }

  private async claimOldest(): Promise<Claim | null> {
    try {
      return await this.leases.claimOne();
    } catch (error) {
      // Another worker has begun an export of the same organization at this moment.
      if ((error as { readonly code?: string }).code === UNIQUE_VIOLATION) return null;
      throw error;
    }
  }

  /** Null for one that may not go on: it has ended. */
  private async lease(claimed: Claim): Promise<ExportLease | null> {
    try {
      return await this.within(claimed, async (tx, row) => {
        const parts = await prismaOf(tx).exportPart.findMany({
          where: { exportId: row.id },
          orderBy: { number: 'asc' },
        });
        return toLease(row, parts);
      });
    } catch (error) {
      if (error instanceof LeaseLostError) return null;
      throw error;
    }
  }

  /** Works under the lock of the export, or ends it where it may not go on. */
  private async within<T>(lease: Claim, work: (tx: Transaction, row: Export) => Promise<T>): Promise<T> {
    const outcome = await this.unitOfWork.transaction(async (tx) => {
      const { row, stop } = await lockLeased(tx, this.leases, lease);
      if (stop === null) return { result: await work(tx, row) };
      await endExport(tx, row, stop, this.enders);
      return null;
    });
    if (outcome === null) throw new LeaseLostError('the export may not go on');
    return outcome.result;
  }
}

interface CompletedRow {
  readonly rowCount: bigint;
  readonly bytes: bigint;
  readonly completedAt: Date;
  readonly expiresAt: Date;
}
