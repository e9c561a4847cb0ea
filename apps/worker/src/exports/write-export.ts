import { createHash } from 'node:crypto';
import { columnsOf, namedColumns, PART_BYTES, renderingOf, type ExportRow } from '@svc/exports';
import { LeaseLostError } from '@svc/database';
import { type ExportLease, type ExportPages } from '@svc/exports/store';
import { type ExportWork } from '@svc/exports/work';
import { Pace } from '@svc/runtime';
import { type Logger } from '@svc/runtime/observability';
import { newObjectKey, SealedObject, StorageError, type ObjectStore } from '@svc/storage';
import { newFilePart } from './file-part';

export interface ExportWriting {
  readonly work: Pick<
    ExportWork,
    | 'claim'
    | 'keep'
    | 'begin'
    | 'fileKeyOf'
    | 'commitPart'
    | 'complete'
    | 'fail'
    | 'postpone'
    | 'restart'
    | 'release'
  >;
  readonly pages: Pick<ExportPages, 'read'>;
  readonly store: ObjectStore;
  readonly logger: Logger;
  /** `SVC_EXPORT_MAX_ROWS` */
  readonly rowsMax: number;
  /** `SVC_EXPORT_RETENTION_DAYS` */
  readonly retentionDays: number;
  /** Of the time, as `Pace` takes it: `SVC_EXPORT_WORK_PERCENT`. */
  readonly workShare: number;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  readonly onRows: (count: number) => void;
}

/** How often a lease is renewed, and the rights of the creator judged, while a step takes longer. */
const KEEP_EVERY_MS = 10_000;
/** Rows that are rendered at once: what runs in the same process waits so long. */
const SLICE_ROWS = 200;

/** The export has more rows than one may have. */
class TooManyRowsError extends Error {
  override readonly name = 'TooManyRowsError';
}

/** The service stops: what is not committed is written again later. */
class StoppingError extends Error {
  override readonly name = 'StoppingError';
}

/**
 * Does one step of the oldest export that waits: writes its next part, or checks and completes its file
 * (docs/decisions/0041).
 * @returns whether there was one.
 */
export async function writeExport(writing: ExportWriting): Promise<{ readonly more: boolean }> {
  if (writing.stopping.aborted) return { more: false };
  const lease = await writing.work.claim();
  if (lease === null) return { more: false };
  try {
    await (lease.isDrained ? completeFile(writing, lease) : writePart(writing, lease));
  } catch (error) {
    await giveBack(writing, lease, error).catch((failure: unknown) => {
      if (!(failure instanceof LeaseLostError)) throw failure;
    });
  }
  return { more: true };
}

async function writePart(writing: ExportWriting, claimed: ExportLease): Promise<void> {
  const { work, store, pages, rowsMax } = writing;
  const lease = claimed.upload === null ? await begin(writing, claimed) : claimed;
  const rendering = renderingOf(lease.format, columnsOfExport(lease));
  const part = newFilePart(lease.compression);
  if (lease.parts.length === 0) await part.add(rendering.head);
  const keeping = new Keeping(writing, lease);
  const pace = new Pace(writing.workShare);
  let [rows, isLast, cursor] = [0, false, lease.cursor];
  while (!isLast && (await part.measure()) < PART_BYTES) {
    await keeping.step();
    const page = await pace.slice(() => pages.read(lease, cursor));
    ({ isLast, cursor } = page);
    rows += page.rowCount;
    if (lease.rowCount + rows > rowsMax) throw new TooManyRowsError('the export has too many rows');
    for (const rowsAtOnce of slices(page.rows)) {
      await pace.slice(() => part.add(rendering.rows(rowsAtOnce)));
    }
  }
  const plain = await part.end();
  const sealed = new SealedObject(work.fileKeyOf(lease), lease.objectKey).seal(lease.parts.length + 1, plain);
  // Whoever writes must have the lease for the time that storing may take.
  await work.keep(lease);
  const upload = { key: lease.objectKey, id: lease.upload?.id ?? '' };
  const { etag, bytes: storedBytes } = await store.put(upload, lease.parts, sealed);
  await work.commitPart(lease, { etag, storedBytes, bytes: plain.length, rows, cursor, isLast });
  writing.onRows(rows);
}

async function begin({ work, store }: ExportWriting, lease: ExportLease): Promise<ExportLease> {
  const { id } = await store.begin(lease.objectKey);
  return work.begin(lease, id, newObjectKey());
}

/** The file is read once, which gives its digest, and shows that all of it is there and opens. */
async function completeFile(writing: ExportWriting, lease: ExportLease): Promise<void> {
  const { work, store, retentionDays } = writing;
  await store.complete({ key: lease.objectKey, id: lease.upload?.id ?? '' }, lease.parts);
  const keeping = new Keeping(writing, lease);
  const pace = new Pace(writing.workShare);
  const hash = createHash('sha256');
  const sizes = lease.parts.map(({ plainBytes }) => plainBytes);
  const file = new SealedObject(work.fileKeyOf(lease), lease.objectKey);
  for await (const chunk of file.read(store, sizes, { start: 0, end: lease.bytes })) {
    await pace.slice(() => hash.update(chunk));
    await keeping.step();
  }
  await work.complete(lease, hash.digest('hex'), retentionDays);
}

/** Renews a lease now and then, and stops with the service. */
class Keeping {
  private keptAtMs = performance.now();

  constructor(
    private readonly writing: ExportWriting,
    private readonly lease: ExportLease,
  ) {}

  /** @throws LeaseLostError, StoppingError */
  async step(): Promise<void> {
    if (this.writing.stopping.aborted) throw new StoppingError('the service stops');
    if (performance.now() - this.keptAtMs < KEEP_EVERY_MS) return;
    await this.writing.work.keep(this.lease);
    this.keptAtMs = performance.now();
  }
}

/** Decides what a failed step means. @throws LeaseLostError */
async function giveBack({ work, logger }: ExportWriting, lease: ExportLease, error: unknown): Promise<void> {
  if (error instanceof LeaseLostError || error instanceof StoppingError) return work.release(lease);
  if (error instanceof TooManyRowsError) return work.fail(lease, 'row_limit_exceeded');
  logger.warn({ export_id: lease.id, err: error }, 'a step of an export failed');
  if (!(error instanceof StorageError)) {
    // A file that does not open is written anew; nothing else there could help.
    return lease.isDrained ? work.restart(lease) : work.postpone(lease, 'internal');
  }
  if (error.failure === 'refused') return work.fail(lease, 'storage_unavailable');
  return error.failure === 'lost' ? work.restart(lease) : work.postpone(lease, 'storage_unavailable');
}

const columnsOfExport = ({ kind, columns }: ExportLease): readonly string[] =>
  columns.length === 0
    ? columnsOf[kind]
    : [...new Set(namedColumns(kind, columns).flatMap((named) => named ?? []))];

function* slices(rows: Iterable<ExportRow>): Iterable<readonly ExportRow[]> {
  let slice: ExportRow[] = [];
  for (const row of rows) {
    slice.push(row);
    if (slice.length < SLICE_ROWS) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}
