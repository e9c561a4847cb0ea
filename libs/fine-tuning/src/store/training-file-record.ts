import { type TrainingFile } from '@svc/database/rows';
import { timeOfId } from '@svc/kernel';

/** A training file that is stored and checked. */
export interface TrainingFileRecord {
  readonly id: string;
  readonly organizationId: string;
  /** The project whose key uploaded it; null for the whole organization. */
  readonly projectId: string | null;
  readonly filename: string;
  readonly bytes: number;
  readonly lineCount: number;
  /** An estimate on the high side. */
  readonly tokenCount: number;
  readonly creatorId: string;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date;
  /** The time in its id. */
  readonly createdAt: Date;
}

/** The object of a file, and the key to read it. */
export interface TrainingFileContent extends TrainingFileRecord {
  readonly objectKey: string;
  /** The key that it is sealed with. */
  readonly fileKey: Buffer;
  /** The bytes of each part in the file. */
  readonly parts: readonly number[];
}

/** @param row of a file that is processed. */
export function toTrainingFileRecord(row: TrainingFile): TrainingFileRecord {
  if (row.expiresAt === null) throw new Error(`A file that is processed expires: ${row.id}`);
  return {
    id: row.id,
    organizationId: row.organizationId,
    projectId: row.projectId,
    filename: row.filename,
    bytes: Number(row.bytes),
    lineCount: row.lineCount,
    tokenCount: Number(row.tokenCount),
    creatorId: row.creatorId,
    lastUsedAt: row.lastUsedAt,
    expiresAt: row.expiresAt,
    createdAt: new Date(timeOfId(row.id)),
  };
}

/** The owner of the key of a file. */
export const trainingFileKeyContext = (fileId: string): string => `training file key ${fileId}`;

/** Where the file is kept: a key of the store of objects. */
export const trainingFileObjectKey = ({
  organizationId,
  id,
}: {
  readonly organizationId: string;
  readonly id: string;
}): string => `training-files/${organizationId}/${id}`;

/** The bytes of each part: all have the same, but the last, which has the rest. */
export function partLengths(bytes: number, partBytes: number): number[] {
  const whole = Math.floor(bytes / partBytes);
  const rest = bytes - whole * partBytes;
  return [...Array<number>(whole).fill(partBytes), ...(rest > 0 ? [rest] : [])];
}
