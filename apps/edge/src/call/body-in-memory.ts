import { SHARED_BYTES_MIN } from '../second-thread/large-body';

/**
 * A large body while it is read. A very large one is kept in memory that threads share: it is translated and counted on the
 * second thread, which so takes no copy of it.
 */
export class BodyInMemory {
  byteLength = 0;
  private readonly chunks: Buffer[] = [];
  private readonly target: Uint8Array | null;

  /** @param length bytes by `content-length`; null: unknown until the body is whole. It is then copied once. */
  constructor(length: number | null) {
    // Memory that nothing was written to takes no room yet.
    this.target = length === null ? null : memoryOf(length);
  }

  /** Of an announced length no more bytes come than were announced: HTTP ends there. */
  add(chunk: Buffer): void {
    if (this.target === null) this.chunks.push(chunk);
    else this.target.set(chunk, this.byteLength);
    this.byteLength += chunk.byteLength;
  }

  whole(): Uint8Array {
    if (this.target !== null) return this.target;
    const target = memoryOf(this.byteLength);
    let at = 0;
    for (const chunk of this.chunks.splice(0)) {
      target.set(chunk, at);
      at += chunk.byteLength;
    }
    return target;
  }
}

const memoryOf = (length: number): Uint8Array =>
  new Uint8Array(length < SHARED_BYTES_MIN ? new ArrayBuffer(length) : new SharedArrayBuffer(length));
