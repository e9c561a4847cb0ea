import { type Database } from '@svc/database';
import { inUse } from '../store/file-use';
import { trainingFileObjectKey } from '../store/training-file-record';

const BATCH = 50;

/** An object that a worker has to delete from the store. */
interface LeftoverFile {
  readonly fileId: string;
  readonly objectKey: string;
}

/** Moves training files on that a clock moves. Any number of workers share the work. */
export class TrainingFileUpkeep {
  constructor(private readonly database: Database) {}

  /** Hides what has expired, and uploads of which nobody has heard for a while. A file that an open job uses stays. */
  async expire(): Promise<void> {
    await this.database.background.query(
      `UPDATE training_files f SET deleted_at = clock_timestamp()
       WHERE deleted_at IS NULL AND (expires_at <= clock_timestamp() AND NOT ${inUse('f.id', 'f.organization_id')}
         OR (state = 'uploading' AND upload_until <= clock_timestamp()))`,
    );
  }

  /** Objects of files that nobody sees any more. */
  async leftovers(): Promise<readonly LeftoverFile[]> {
    const { rows } = await this.database.background.query<{ id: string; organizationId: string }>(
      `SELECT id, organization_id AS "organizationId" FROM training_files
       WHERE deleted_at IS NOT NULL ORDER BY id LIMIT $1`,
      [BATCH],
    );
    return rows.map((row) => ({ fileId: row.id, objectKey: trainingFileObjectKey(row) }));
  }

  /** The store has nothing of it any more. The record goes, and with it the key of the file. */
  async forget(fileId: string): Promise<void> {
    await this.database.background.query(
      'DELETE FROM training_files WHERE id = $1 AND deleted_at IS NOT NULL',
      [fileId],
    );
  }
}
