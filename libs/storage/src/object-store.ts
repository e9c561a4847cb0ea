/** An object that is being written. The caller commits it before it puts the first part. */
export interface Upload {
  readonly key: string;
  /** The store's id of the upload; empty where the key is enough. */
  readonly id: string;
}

/** A part that the store has. It counts once the caller has committed it. */
export interface StoredPart {
  /** The tag by which S3 completes an upload; empty where the store needs none. */
  readonly etag: string;
  /** As stored. */
  readonly bytes: number;
}

/** The first byte is included, the last is not. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where objects are kept. An object is written part by part, and there at once when it is complete. Each method throws a
 * {@link StorageError} and nothing else, after a minute at most.
 */
export interface ObjectStore {
  /** @param key of `a-z`, `0-9`, `_`, `-` and `/`. An upload that was begun before is given up. */
  begin(key: string): Promise<Upload>;
  /**
   * Stores the next part, all but the last of 5 MiB or more. What the store has beyond the committed parts, from a process that was
   * killed, is overwritten.
   * @param committed the parts before it.
   * @throws StorageError `lost` when one of these is not there.
   */
  put(upload: Upload, committed: readonly StoredPart[], body: Buffer): Promise<StoredPart>;
  /**
   * Makes the parts one object. It may be called again.
   * @throws StorageError `lost` when a part is not there as it was stored.
   */
  complete(upload: Upload, parts: readonly StoredPart[]): Promise<void>;
  /** Deletes the parts of an object that is not complete. */
  abort(upload: Upload): Promise<void>;
  /** @throws StorageError `lost` when there is no such object, or it is shorter. */
  read(key: string, range: ByteRange): AsyncIterable<Buffer>;
  /** @returns the bytes of a complete object; null where there is none. */
  sizeOf(key: string): Promise<number | null>;
  /** Deletes the object, and what there is of an upload. */
  delete(key: string): Promise<void>;
}

/**
 * - `unavailable`: it may work later.
 * - `refused`: it won't until an operator acts: no permission, no bucket, no space.
 * - `lost`: what was committed is not there.
 */
type StorageFailure = 'unavailable' | 'refused' | 'lost';

export class StorageError extends Error {
  override readonly name = 'StorageError';

  constructor(
    readonly failure: StorageFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const KEY = /^[a-z0-9_-]+(\/[a-z0-9_-]+)*$/;

/** @throws StorageError for a key that could name something else in a folder or a bucket. */
export function requireKey(key: string): string {
  if (!KEY.test(key)) throw new StorageError('refused', 'not a key of an object');
  return key;
}

export const bytesOf = (parts: readonly StoredPart[]): number =>
  parts.reduce((sum, { bytes }) => sum + bytes, 0);
