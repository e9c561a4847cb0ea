import { TrainingFileCheck } from '@svc/fine-tuning';
import { GatewayError } from '@svc/kernel';
import { Pace } from '@svc/runtime';
import { SealedObject, type ObjectStore, type StoredPart } from '@svc/storage';

/** Of each part but the last: the least that S3 takes, and as much as an upload keeps in memory. */
export const PART_BYTES = 5 * 1024 * 1024;

/** Of the time, for checking: other calls of the process have the rest. A file is still checked faster than most lines send it. */
const CHECKING_SHARE = 0.5;

interface Destination {
  readonly store: ObjectStore;
  readonly objectKey: string;
  readonly fileKey: Buffer;
  readonly maxBytes: number;
}

export interface StoredUpload {
  readonly bytes: number;
  readonly lineCount: number;
  readonly tokenCount: number;
}

/**
 * Stores a training file, sealed part by part, while it is checked. Nothing more is stored of a file once a line of it is wrong.
 * @throws GatewayError `invalidTrainingFile`; `invalidRequest` with status 413; StorageError.
 */
export async function storeUpload(
  file: AsyncIterable<Buffer>,
  { store, objectKey, fileKey, maxBytes }: Destination,
): Promise<StoredUpload> {
  const check = new TrainingFileCheck();
  const pace = new Pace(CHECKING_SHARE);
  const parts = new PartWriter(store, objectKey, fileKey);
  let bytes = 0;
  for await (const chunk of file) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw fileTooLarge(maxBytes);
    await pace.slice(() => {
      check.push(chunk);
    });
    if (check.isSettled) break;
    if (check.isGood) await parts.write(chunk);
  }
  const { faults, lineCount, tokenCount } = check.end();
  const [first] = faults;
  if (first !== undefined) {
    const message = `line ${String(first.line)}: ${first.message}`;
    throw new GatewayError('invalidTrainingFile', message, { param: 'file', faults });
  }
  await parts.complete();
  return { bytes, lineCount, tokenCount };
}

export const fileTooLarge = (maxBytes: number): GatewayError =>
  new GatewayError('invalidRequest', `The file must have at most ${String(maxBytes)} bytes.`, {
    param: 'file',
    status: 413,
  });

/** Gathers what is written to parts of one size. Each is stored before the next is gathered, so all share their memory. */
class PartWriter {
  private readonly sealed: SealedObject;
  private readonly gathered = Buffer.allocUnsafe(PART_BYTES);
  private readonly body: Buffer;
  private length = 0;
  private readonly parts: StoredPart[] = [];
  private upload: Awaited<ReturnType<ObjectStore['begin']>> | null = null;

  constructor(
    private readonly store: ObjectStore,
    private readonly objectKey: string,
    fileKey: Buffer,
  ) {
    this.sealed = new SealedObject(fileKey, objectKey);
    this.body = Buffer.allocUnsafe(this.sealed.storedBytes(PART_BYTES));
  }

  async write(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length;) {
      const copied = chunk.copy(this.gathered, this.length, at);
      at += copied;
      this.length += copied;
      if (this.length === PART_BYTES) await this.put();
    }
  }

  async complete(): Promise<void> {
    if (this.length > 0) await this.put();
    await this.store.complete(await this.begun(), this.parts);
  }

  private async put(): Promise<void> {
    const upload = await this.begun();
    const body = this.sealed.seal(this.parts.length + 1, this.gathered.subarray(0, this.length), this.body);
    this.parts.push(await this.store.put(upload, this.parts, body));
    this.length = 0;
  }

  private async begun() {
    return (this.upload ??= await this.store.begin(this.objectKey));
  }
}
