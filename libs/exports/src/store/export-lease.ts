import { type Requester } from '@svc/approvals';
import { standingOf } from '@svc/approvals/store';
import { type Claim, type LeasedWork, LeaseLostError, prismaOf, type Transaction } from '@svc/database';
import { type Export } from '@svc/database/rows';
import { mayGoOn } from '../rules/creator-standing';
import {
  type ExportFailure,
  type ExportFilter,
  FRUITLESS_CLAIMS_MAX,
  RUNNING_HOURS_MAX,
} from '../rules/export-kinds';
import { exportObjectKey, toExportRecord, type AskedFilter, type ExportRecord } from './export-record';

interface LeasedPart {
  readonly etag: string;
  /** As stored. */
  readonly bytes: number;
  readonly plainBytes: number;
}

/** A worker's right to write the next part of an export. It ends with its time, and with a later claim. */
export interface ExportLease extends Omit<ExportRecord, 'filter'> {
  readonly fence: bigint;
  /** How often it was claimed in a row without a new part, this time included. */
  readonly fruitlessClaims: number;
  readonly filter: ExportFilter;
  readonly objectKey: string;
  readonly cursor: string | null;
  /** True where every row is in a part. */
  readonly isDrained: boolean;
  /** Null until the upload has begun. */
  readonly upload: { readonly id: string; readonly keyCiphertext: Buffer } | null;
  readonly parts: readonly LeasedPart[];
}

/** The end of an export that may not go on; null for one that may. */
export type Stop =
  { readonly state: 'cancelled' } | { readonly state: 'failed'; readonly code: ExportFailure } | null;

type LockedExport = Export & { readonly isOverdue: boolean };

/**
 * Locks the export of a lease until the transaction ends, and judges whether it may go on: by the rights of its creator at this moment, and
 * by its time.
 * @throws LeaseLostError when it was cancelled, or another worker has it.
 */
export async function lockLeased(
  tx: Transaction,
  leases: LeasedWork,
  claim: Claim,
): Promise<{ readonly row: Export; readonly stop: Stop }> {
  const { isOverdue, isRunning } = await leases.lock<Judged>(tx, claim, JUDGED);
  if (!isRunning) throw new LeaseLostError('the export was cancelled');
  const row = await prismaOf(tx).export.findUniqueOrThrow({ where: { id: claim.id } });
  return { row, stop: await stopOf(tx, { ...row, isOverdue }) };
}

interface Judged {
  readonly isOverdue: boolean;
  readonly isRunning: boolean;
}
const JUDGED = `state = 'running' AS "isRunning",
  started_at < clock_timestamp() - interval '${String(RUNNING_HOURS_MAX)} hours' AS "isOverdue"`;

async function stopOf(tx: Transaction, row: LockedExport): Promise<Stop> {
  const { kind, projectId } = toExportRecord(row);
  const standing = await standingOf(tx, row.organizationId, creatorOf(row));
  if (!mayGoOn(kind, projectId, standing)) return { state: 'cancelled' };
  if (row.isOverdue) return { state: 'failed', code: 'timed_out' };
  if (row.fruitlessClaims > FRUITLESS_CLAIMS_MAX) return { state: 'failed', code: 'internal' };
  return null;
}

export const creatorOf = (row: Export): Requester => ({
  type: row.creatorType as Requester['type'],
  id: row.creatorId,
  userId: row.creatorUserId,
});

interface StoredPartRow {
  readonly etag: string;
  readonly storedBytes: number;
  readonly bytes: number;
}

export const toLease = (row: Export, parts: readonly StoredPartRow[]): ExportLease => ({
  ...toExportRecord(row),
  filter: valuesOf(row.filter as AskedFilter),
  fence: row.fence,
  fruitlessClaims: row.fruitlessClaims,
  objectKey: exportObjectKey(row),
  cursor: row.cursor,
  isDrained: row.drained,
  upload:
    row.uploadId === null || row.keyCiphertext === null
      ? null
      : { id: row.uploadId, keyCiphertext: Buffer.from(row.keyCiphertext) },
  parts: parts.map(({ etag, storedBytes, bytes }) => ({ etag, bytes: storedBytes, plainBytes: bytes })),
});

const valuesOf = (asked: AskedFilter): ExportFilter =>
  Object.fromEntries(
    Object.entries(asked).map(([name, values]) => [
      name,
      typeof values === 'string' ? values.split(',') : values,
    ]),
  );
