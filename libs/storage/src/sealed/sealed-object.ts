import { createSealer, type Sealer } from '@svc/runtime';
import { randomBytes } from 'node:crypto';
import { type ByteRange, type ObjectStore } from '../object-store';

/** As much as is decrypted to read one byte. */
const FRAME_BYTES = 256 * 1024;
const KEY_BYTES = 32;

/** A key for one object. It is stored sealed with the master key, beside what is known of the object: docs/decisions/0040. */
export const newObjectKey = (): Buffer => randomBytes(KEY_BYTES);

/**
 * Encrypts an object with its own key, so that it can be written part by part and read from any byte. A part is a row of frames, each
 * sealed for its place: one that is altered, moved or cut off does not open.
 */
export class SealedObject {
  private readonly sealer: Sealer;
  /** Bytes that sealing adds to a frame. */
  private readonly overhead: number;

  /** @param key of {@link newObjectKey}. */
  constructor(
    key: Buffer,
    private readonly name: string,
  ) {
    this.sealer = createSealer(key);
    this.overhead = this.sealer.seal(Buffer.of(), '').length;
  }

  /** How many bytes are stored of a part of so many. */
  storedBytes(plainBytes: number): number {
    return plainBytes + frameCount(plainBytes) * this.overhead;
  }

  /**
   * @param number of the part, from 1.
   * @param into where it is written, for parts that share memory because each is stored before the next.
   */
  seal(
    number: number,
    plain: Buffer,
    into: Buffer = Buffer.allocUnsafe(this.storedBytes(plain.length)),
  ): Buffer {
    let length = 0;
    for (let at = 0; at < frameCount(plain.length); at++) {
      const frame = plain.subarray(at * FRAME_BYTES, (at + 1) * FRAME_BYTES);
      length += this.sealer.seal(frame, this.place(number, at)).copy(into, length);
    }
    return into.subarray(0, length);
  }

  /**
   * @param parts the plain bytes of each part, in order.
   * @param range of the plain object.
   * @throws StorageError; Error for a frame that does not open.
   */
  async *read(store: ObjectStore, parts: readonly number[], range: ByteRange): AsyncIterable<Buffer> {
    let [plainAt, storedAt] = [0, 0];
    for (const [at, bytes] of parts.entries()) {
      const within = { start: Math.max(range.start - plainAt, 0), end: Math.min(range.end - plainAt, bytes) };
      if (within.start < within.end) yield* this.readPart(store, { number: at + 1, bytes, storedAt }, within);
      plainAt += bytes;
      storedAt += this.storedBytes(bytes);
    }
  }

  private async *readPart(
    store: ObjectStore,
    { number, bytes, storedAt }: PlacedPart,
    { start, end }: ByteRange,
  ) {
    const firstFrame = Math.floor(start / FRAME_BYTES);
    const sealedBytes = FRAME_BYTES + this.overhead;
    const stored = {
      start: storedAt + firstFrame * sealedBytes,
      end: storedAt + Math.min(Math.ceil(end / FRAME_BYTES) * sealedBytes, this.storedBytes(bytes)),
    };
    let frame = firstFrame;
    for await (const sealed of inPieces(store.read(this.name, stored), sealedBytes)) {
      const plain = this.sealer.open(sealed, this.place(number, frame));
      const frameAt = frame * FRAME_BYTES;
      yield plain.subarray(Math.max(start - frameAt, 0), end - frameAt);
      frame += 1;
    }
  }

  private readonly place = (part: number, frame: number): string =>
    `object ${this.name} part ${String(part)} frame ${String(frame)}`;
}

interface PlacedPart {
  readonly number: number;
  readonly bytes: number;
  readonly storedAt: number;
}

/** An empty part has a frame too: a store takes no empty one. */
const frameCount = (bytes: number): number => Math.max(Math.ceil(bytes / FRAME_BYTES), 1);

/** Chunks of any size as pieces of one size; the last may be shorter. */
async function* inPieces(chunks: AsyncIterable<Buffer>, size: number): AsyncIterable<Buffer> {
  let gathered: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    gathered.push(chunk);
    length += chunk.length;
    if (length < size) continue;
    const all = Buffer.concat(gathered);
    let at = 0;
    for (; at + size <= all.length; at += size) yield all.subarray(at, at + size);
    gathered = [all.subarray(at)];
    length = all.length - at;
  }
  if (length > 0) yield Buffer.concat(gathered);
}
