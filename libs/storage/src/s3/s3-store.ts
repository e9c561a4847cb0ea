import { type S3Client } from '@aws-sdk/client-s3';
import {
  bytesOf,
  requireKey,
  StorageError,
  type ByteRange,
  type ObjectStore,
  type StoredPart,
  type Upload,
} from '../object-store';
import { withinTime, WAIT_MS } from '../within-time';

export interface S3Settings {
  readonly bucket: string;
  /** Before each key, without a slash at its end; empty for none. */
  readonly prefix: string;
  /** Null for Amazon's. */
  readonly endpoint: string | null;
  readonly region: string;
  /** Null: as the environment of the process has them. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  /** True where the bucket is in the path of the address, not in its host. */
  readonly pathStyle: boolean;
}

type Sdk = typeof import('@aws-sdk/client-s3');

const CONNECT_MS = 3_000;

/** Objects in a bucket. Each is one multipart upload; a part that is sent again under its number takes the place of the first. */
export class S3Store implements ObjectStore {
  private readonly client: S3Client;

  private constructor(
    private readonly sdk: Sdk,
    private readonly settings: S3Settings,
  ) {
    const { endpoint, region, credentials, pathStyle } = settings;
    this.client = new sdk.S3Client({
      region,
      ...(endpoint === null ? {} : { endpoint }),
      ...(credentials === null ? {} : { credentials }),
      forcePathStyle: pathStyle,
      maxAttempts: 3,
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: WAIT_MS, socketTimeout: WAIT_MS },
      // Servers of others refuse the checksums that the client would add on its own.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  /** Loads the client, which takes a start much time where nothing needs it. */
  static async open(settings: S3Settings): Promise<S3Store> {
    return new S3Store(await import('@aws-sdk/client-s3'), settings);
  }

  begin(key: string): Promise<Upload> {
    return attempted(async (abortSignal) => {
      const command = new this.sdk.CreateMultipartUploadCommand(this.object(key));
      const { UploadId: id } = await this.client.send(command, { abortSignal });
      if (id === undefined) throw new StorageError('unavailable', 'the server gave no id of the upload');
      return { key, id };
    });
  }

  put({ key, id }: Upload, committed: readonly StoredPart[], body: Buffer): Promise<StoredPart> {
    return attempted(async (abortSignal) => {
      const part = { UploadId: id, PartNumber: committed.length + 1, Body: body, ContentLength: body.length };
      const { ETag: etag } = await this.client.send(
        new this.sdk.UploadPartCommand({ ...this.object(key), ...part }),
        {
          abortSignal,
        },
      );
      if (etag === undefined) throw new StorageError('unavailable', 'the server gave no ETag of the part');
      return { etag, bytes: body.length };
    });
  }

  complete({ key, id }: Upload, parts: readonly StoredPart[]): Promise<void> {
    return attempted(async (abortSignal) => {
      const Parts = parts.map(({ etag }, at) => ({ ETag: etag, PartNumber: at + 1 }));
      const command = { ...this.object(key), UploadId: id, MultipartUpload: { Parts } };
      try {
        await this.client.send(new this.sdk.CompleteMultipartUploadCommand(command), { abortSignal });
      } catch (error) {
        // A process that was killed may have completed it.
        if ((await this.sizeOf(key)) !== bytesOf(parts)) throw error;
      }
    });
  }

  abort(upload: Upload): Promise<void> {
    return attempted((abortSignal) => this.abortWithin(upload, abortSignal));
  }

  async *read(key: string, { start, end }: ByteRange): AsyncIterable<Buffer> {
    if (start >= end) return;
    const command = new this.sdk.GetObjectCommand({
      ...this.object(key),
      Range: `bytes=${String(start)}-${String(end - 1)}`,
    });
    const { Body: body } = await attempted((abortSignal) => this.client.send(command, { abortSignal }));
    let missing = end - start;
    try {
      for await (const chunk of (body ?? []) as AsyncIterable<Buffer>) {
        missing -= chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw asStorageError(error);
    }
    if (missing !== 0) throw new StorageError('lost', `the object ${key} is shorter than it was stored`);
  }

  sizeOf(key: string): Promise<number | null> {
    return attempted(async (abortSignal) => {
      try {
        const { ContentLength } = await this.client.send(new this.sdk.HeadObjectCommand(this.object(key)), {
          abortSignal,
        });
        return ContentLength ?? null;
      } catch (error) {
        if (nameOf(error) === 'NotFound') return null;
        throw error;
      }
    });
  }

  delete(key: string): Promise<void> {
    return attempted(async (abortSignal) => {
      for (const id of await this.uploadsOf(key, abortSignal))
        await this.abortWithin({ key, id }, abortSignal);
      await this.client.send(new this.sdk.DeleteObjectCommand(this.object(key)), { abortSignal });
    });
  }

  private async abortWithin({ key, id }: Upload, abortSignal: AbortSignal): Promise<void> {
    try {
      await this.client.send(
        new this.sdk.AbortMultipartUploadCommand({ ...this.object(key), UploadId: id }),
        {
          abortSignal,
        },
      );
    } catch (error) {
      if (![...UNSUPPORTED, 'NoSuchUpload'].includes(nameOf(error))) throw error;
    }
  }

  /** Also of processes that were killed before they committed one. */
  private async uploadsOf(key: string, abortSignal: AbortSignal): Promise<readonly string[]> {
    const { Bucket, Key } = this.object(key);
    try {
      const command = new this.sdk.ListMultipartUploadsCommand({ Bucket, Prefix: Key });
      const { Uploads = [] } = await this.client.send(command, { abortSignal });
      return Uploads.flatMap(({ Key: of, UploadId }) =>
        of === Key && UploadId !== undefined ? [UploadId] : [],
      );
    } catch (error) {
      if (UNSUPPORTED.includes(nameOf(error))) return [];
      throw error;
    }
  }

  private object(key: string) {
    const { bucket, prefix } = this.settings;
    return { Bucket: bucket, Key: [...(prefix === '' ? [] : [prefix]), requireKey(key)].join('/') };
  }
}

const nameOf = (error: unknown): string => (error as { readonly name?: string }).name ?? '';
const statusOf = (error: unknown): number =>
  (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0;

/** Answers of servers that have only some of S3: there uploads that were given up stay until the bucket's own rule deletes them. */
const UNSUPPORTED = ['NotImplemented', 'MethodNotAllowed'];
const LOST = ['NoSuchUpload', 'NoSuchKey', 'InvalidPart', 'InvalidRange'];
/** Answers of the class 4xx that ask for another try. */
const TRANSIENT_STATUSES = [408, 409, 425, 429];

/** Says nothing of the request, which has the credentials. */
function asStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const [name, status] = [nameOf(error), statusOf(error)];
  const options = { cause: error };
  if (LOST.includes(name)) return new StorageError('lost', `the bucket has no such part (${name})`, options);
  const isRefused = status >= 400 && status < 500 && !TRANSIENT_STATUSES.includes(status);
  return new StorageError(isRefused ? 'refused' : 'unavailable', `the bucket failed (${name})`, options);
}

async function attempted<T>(work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
  const patience = new AbortController();
  try {
    return await withinTime(work(patience.signal));
  } catch (error) {
    // Ends what was left behind. The body of an answer that succeeded is still being read.
    patience.abort();
    throw asStorageError(error);
  }
}
