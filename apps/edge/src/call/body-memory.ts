import { GatewayError } from '@svc/kernel';
import { collectGarbage } from '../second-thread/collect-garbage';
import { SHARED_BYTES_MIN } from '../second-thread/large-body';
import { memoryOfProcess } from '../second-thread/memory-of-process';

/** The memory of this process for large bodies, in bytes. */
interface BodyMemoryBounds {
  /** Of all bodies together that are read at a time. One more may be beside them. */
  readonly bytesMax: number;
  /** Of that one. */
  readonly bytesOfOneMax: number;
  /** Of bodies that are gone, and whose memory was not freed yet. */
  readonly bytesUnfreedMax: number;
}

/** One body's part of the memory, until its call has ended. */
export interface BodyShare {
  /** @throws GatewayError as {@link BodyMemory.open}. */
  take(byteCount: number): void;
  /** Idempotent. */
  release(): void;
}

/** More than this many bytes are not searched as one piece. */
const BYTES_OF_ONE_MAX = 2 ** 31 - 1;

/** The rest is for the process itself, the second thread (`heapMibOfSecondThread`), and bodies that were written anew. */
export const bodyMemoryBounds = (memory = memoryOfProcess()): BodyMemoryBounds => ({
  bytesMax: Math.floor(memory / 8),
  bytesOfOneMax: Math.min(BYTES_OF_ONE_MAX, Math.floor(memory / 4)),
  bytesUnfreedMax: Math.floor(memory / 16),
});

/**
 * Bounds the bytes of all large bodies in this process, so that they never end it (docs/decisions/0014). What counts is the
 * bytes that came: who announces many and sends few holds up nobody. Nobody waits for room, for bodies that are read side by
 * side and wait for each other would wait for ever.
 */
export class BodyMemory {
  private byteCount = 0;
  /** The one beside those that fit. */
  private extra: object | null = null;

  /** Bytes of bodies in shared memory that are gone since memory was last freed. */
  private unfreed = 0;

  constructor(
    private readonly bounds = bodyMemoryBounds(),
    private readonly free: () => void = collectGarbage,
  ) {}

  /**
   * @param announced bytes by `content-length`; null: unknown.
   * @throws GatewayError `overloaded` where there is no room now; `invalidRequest` with status 413 for a body that never has
   * room in this process.
   */
  open(announced: number | null): BodyShare {
    if (announced !== null && announced > this.bounds.bytesOfOneMax) throw tooLarge();
    if (this.extra !== null && this.byteCount + (announced ?? 0) > this.bounds.bytesMax) throw noRoom();
    const share = {};
    let taken = 0;
    return {
      take: (byteCount) => {
        taken += byteCount;
        if (this.extra !== share) this.count(share, byteCount, taken);
        if (taken > this.bounds.bytesOfOneMax) throw tooLarge();
      },
      release: () => {
        if (this.extra === share) this.extra = null;
        else this.byteCount -= taken;
        this.gone(taken);
        taken = 0;
      },
    };
  }

  private gone(byteCount: number): void {
    if (byteCount < SHARED_BYTES_MIN) return;
    this.unfreed += byteCount;
    if (this.unfreed < this.bounds.bytesUnfreedMax) return;
    this.unfreed = 0;
    // Once nothing refers to the body any more.
    setImmediate(this.free);
  }

  private count(share: object, byteCount: number, taken: number): void {
    this.byteCount += byteCount;
    if (this.byteCount <= this.bounds.bytesMax) return;
    if (this.extra !== null) throw noRoom();
    this.extra = share;
    this.byteCount -= taken;
  }
}

const noRoom = (): GatewayError =>
  new GatewayError(
    'overloaded',
    'The service has no memory for this body right now. Nothing was sent or charged. Please retry.',
  );

const tooLarge = (): GatewayError =>
  new GatewayError('invalidRequest', 'The body is larger than the memory of the service has room for.', {
    status: 413,
  });
