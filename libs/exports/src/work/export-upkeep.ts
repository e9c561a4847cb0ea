import { standingOf } from '@svc/approvals/store';
import { AuditLog, type Database, Outbox, prismaOf, UnitOfWork } from '@svc/database';
import { type NewId } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { mayGoOn } from '../rules/creator-standing';
import { type ExportKind } from '../rules/export-kinds';
import { endExport } from '../store/end-export';
import { creatorOf } from '../store/export-lease';
import { exportObjectKey, toExportRecord } from '../store/export-record';

const BATCH = 50;
const RECORD_DAYS = 90;

const EXPIRED = `state = 'completed' AND expires_at <= clock_timestamp()`;
const LEFT_OVER = `stored AND (state IN ('failed', 'cancelled', 'expired') OR deleted_at IS NOT NULL)
  AND (lease_until IS NULL OR lease_until <= clock_timestamp())`;
const NOT_KEPT = `NOT stored AND (deleted_at IS NOT NULL
  OR greatest(ended_at, expires_at) < clock_timestamp() - interval '${String(RECORD_DAYS)} days')`;
const NOT_COUNTED = 'NOT counted AND ended_at IS NOT NULL';

/** An object that a worker has to delete from the store. */
interface LeftoverObject {
  readonly exportId: string;
  readonly objectKey: string;
}

/** Moves exports on that a clock, or the end of their creator, moves. Any number of workers share the work. */
export class ExportUpkeep {
  /** Asks whether an export waits for a worker, or has anything to be expired, counted or deleted. */
  readonly isDue: () => Promise<boolean>;
  private readonly unitOfWork: UnitOfWork;
  private readonly outbox = new Outbox();

  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
  ) {
    this.isDue = database.dueWork.of(
      `FROM exports WHERE state = 'queued'`,
      `FROM exports WHERE ${EXPIRED}`,
      `FROM exports WHERE ${LEFT_OVER}`,
      `FROM exports WHERE ${NOT_KEPT}`,
      `FROM exports WHERE ${NOT_COUNTED}`,
    );
    this.unitOfWork = new UnitOfWork(database);
  }

  /** Cancels what waits for a worker and whose creator may not export any more. */
  cancelOrphaned(): Promise<void> {
    return this.unitOfWork.transaction(async (tx) => {
      const prisma = prismaOf(tx);
      const waiting = await prisma.$queryRaw<{ id: string }[]>`
        SELECT id FROM exports WHERE state = 'queued' ORDER BY random() LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED`;
      const rows = await prisma.export.findMany({ where: { id: { in: waiting.map(({ id }) => id) } } });
      const auditLog = new AuditLog(this.database, this.newId);
      for (const row of rows) {
        const { kind, projectId } = toExportRecord(row);
        if (mayGoOn(kind, projectId, await standingOf(tx, row.organizationId, creatorOf(row)))) continue;
        await endExport(
          tx,
          row,
          { state: 'cancelled' },
          { auditLog, outbox: this.outbox, newId: this.newId },
        );
      }
    });
  }

  /** Expires completed exports that are due. */
  async expire(): Promise<void> {
    await this.database.background.query(`UPDATE exports SET state = 'expired' WHERE ${EXPIRED}`);
  }

  /** Objects of exports that ended without a file to keep. A worker that may still be writing keeps it for the time of its lease. */
  async leftovers(): Promise<readonly LeftoverObject[]> {
    const { rows } = await this.database.background.query<{ id: string; organizationId: string }>(
      `SELECT id, organization_id AS "organizationId" FROM exports WHERE ${LEFT_OVER} ORDER BY id LIMIT $1`,
      [BATCH],
    );
    return rows.map((row) => ({ exportId: row.id, objectKey: exportObjectKey(row) }));
  }

  /** The store has nothing of it any more. The key of the file goes with it. */
  async noteDeleted(exportId: string): Promise<void> {
    await this.database.background.query(
      'UPDATE exports SET stored = false, upload_id = NULL, key_ciphertext = NULL WHERE id = $1',
      [exportId],
    );
  }

  /** Deletes records that people deleted, and those that ended 90 days ago. */
  async deleteRecords(): Promise<void> {
    await this.database.background.query(
      `DELETE FROM exports WHERE id = ANY (ARRAY(
         SELECT id FROM exports WHERE ${NOT_KEPT} LIMIT $1 FOR UPDATE SKIP LOCKED))`,
      [BATCH],
    );
  }

  /** Exports that ended since this was last asked, by any worker: each is counted once. */
  async countEnded(): Promise<readonly { readonly kind: ExportKind; readonly outcome: string }[]> {
    const { rows } = await this.database.background.query<{ kind: ExportKind; outcome: string }>(
      `UPDATE exports SET counted = true WHERE id = ANY (ARRAY(
         SELECT id FROM exports WHERE ${NOT_COUNTED} LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED))
       RETURNING kind, CASE state WHEN 'expired' THEN 'completed' ELSE state END AS outcome`,
      [BATCH],
    );
    return rows;
  }

  async countRunning(): Promise<number> {
    const { rows } = await this.database.background.query<{ running: number }>(
      `SELECT count(*)::int AS running FROM exports WHERE state = 'running'`,
    );
    return rows[0]?.running ?? 0;
  }
}
