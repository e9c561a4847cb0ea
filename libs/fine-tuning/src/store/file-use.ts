import { prismaOf, type Transaction } from '@svc/database';
import { FILE_KEPT_DAYS } from '../rules/files/file-limits';

/** Notes a use of a file: unless its upload said otherwise, it is kept for so long from now on. */
export async function useFile(tx: Transaction, fileId: string): Promise<void> {
  await prismaOf(tx).$executeRaw`
    UPDATE training_files SET last_used_at = clock_timestamp(),
      expires_at = CASE WHEN kept_seconds IS NULL THEN clock_timestamp() + ${FILE_KEPT_DAYS} * interval '1 day'
        ELSE expires_at END
    WHERE id = ${fileId}`;
}

/** The SQL condition that an open job uses a file, by expressions of the file's id and organization. */
export const inUse = (fileId: string, organizationId: string): string => `EXISTS (
  SELECT FROM fine_tuning_jobs j WHERE j.organization_id = ${organizationId} AND j.ended_at IS NULL
    AND ${fileId} IN (j.training_file_id, j.validation_file_id))`;
