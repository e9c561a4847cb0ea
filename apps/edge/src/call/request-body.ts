import { type IncomingMessage } from 'node:http';
import { GatewayError } from '@svc/kernel';
import {
  letFinishSending,
  requireNoContentEncoding,
  SHORT_BODY_TIME,
  type BodyTime,
  watchBody,
} from '@svc/http';
import { BodyInMemory } from './body-in-memory';
import { joined } from './joined';
import { type BodyMemory, type BodyShare } from './body-memory';
import { type BodyPermit, type LargeBodySemaphore } from '../fairness/large-body-semaphore';
import { LARGE_BYTES_MIN } from '../second-thread/large-body';

/** Idle timeout between two chunks of a body: other bodies of the organization wait for its permit. */
const IDLE_TIMEOUT_MS = 60_000;

/** Runs before a large body is read; throws to refuse it. */
export type BeforeLargeBody = () => Promise<void>;

/** The bounds of large bodies in this process: of each organization, and of all together. */
export interface BodyRoom {
  readonly semaphore: LargeBodySemaphore;
  readonly memory: BodyMemory;
}

const nothing: BeforeLargeBody = () => Promise.resolve();

/**
 * The body of one call, of any size (docs/reference/inference-and-compatibility.md#size). A large
 * one holds a permit of its organization.
 */
export class RequestBody {
  private permit: BodyPermit | null = null;
  private share: BodyShare | null = null;

  constructor(
    private readonly incoming: IncomingMessage,
    private readonly room: BodyRoom,
    private readonly disconnected: AbortSignal,
    private readonly idleTimeoutMs = IDLE_TIMEOUT_MS,
    private readonly shortBodyTime = SHORT_BODY_TIME,
  ) {}

  /**
   * Reads the body as received, only once the caller is known: nobody fills our memory without a key.
   * @param beforeLarge called before a large body is read, or read on.
   * @throws GatewayError `unsupportedContentEncoding` for a compressed body; `invalidRequest` when it is cut;
   * `overloaded` as {@link LargeBodySemaphore.acquire}, this and 413 as {@link BodyMemory.open}; whatever `beforeLarge` throws. The rest of the body is then
   * discarded.
   */
  read(organizationId: string, beforeLarge = nothing): Promise<Uint8Array> {
    requireNoContentEncoding(this.incoming.headers);
    const length = contentLengthOf(this.incoming);
    if (length !== null && length < LARGE_BYTES_MIN) return readWhole(this.incoming, this.shortBodyTime);
    letFinishSending(this.incoming);
    return this.readLarge(organizationId, length, beforeLarge).catch((error: unknown) => {
      this.discardRest();
      throw error;
    });
  }

  /** Call this when the call has ended: until then its body is in memory. */
  release(): void {
    this.permit?.release();
    this.share?.release();
  }

  /** @param length null: whether the body is large shows only while it is read. */
  private async readLarge(
    organizationId: string,
    length: number | null,
    beforeLarge: BeforeLargeBody,
  ): Promise<Uint8Array> {
    const first: Buffer[] = [];
    const begin = (chunk: Buffer): unknown => first.push(chunk);
    if (length === null && (await this.collect(begin, LARGE_BYTES_MIN))) return joined(first);
    await beforeLarge();
    this.permit = await this.room.semaphore.acquire(organizationId, length, this.disconnected);
    const share = (this.share = this.room.memory.open(length));
    const body = new BodyInMemory(length);
    const add = (chunk: Buffer): void => {
      share.take(chunk.byteLength);
      body.add(chunk);
    };
    for (const chunk of first.splice(0)) add(chunk);
    await this.collect(add, Infinity);
    this.permit.setLength(body.byteLength);
    return body.whole();
  }

  /** Whoever sends the rest slower than a short body may come loses the connection. The answer was sent long before. */
  private discardRest(): void {
    const { incoming } = this;
    const { socket } = incoming;
    incoming.resume();
    // Nothing more comes of a body that was cut: neither bytes nor a second `close`.
    if (socket.destroyed) return;
    const stopWatching = watchBody(incoming, this.shortBodyTime, () => incoming.destroy());
    const end = (): void => {
      stopWatching();
      socket.off('close', end);
    };
    // A request that was answered does not close with its connection.
    socket.once('close', end);
    incoming.once('close', end);
  }

  /**
   * Resolves with true when the body is whole, with false after `bytesMax` bytes: the rest then stays unread. Rejects with what
   * `add` throws.
   */
  private collect(add: (chunk: Buffer) => unknown, bytesMax: number): Promise<boolean> {
    const { incoming } = this;
    return new Promise((resolve, reject) => {
      let byteCount = 0;
      const idleTimer = setTimeout(() => incoming.destroy(), this.idleTimeoutMs);
      const settle = (outcome: () => void): void => {
        clearTimeout(idleTimer);
        incoming.off('data', onData).off('end', onEnd).off('error', cut).off('close', cut);
        outcome();
      };
      const onData = (chunk: Buffer): void => {
        idleTimer.refresh();
        try {
          add(chunk);
        } catch (refusal) {
          settle(() => {
            reject(refusal as Error);
          });
          return;
        }
        byteCount += chunk.byteLength;
        if (byteCount < bytesMax) return;
        incoming.pause();
        settle(() => {
          resolve(false);
        });
      };
      const onEnd = (): void => {
        settle(() => {
          resolve(true);
        });
      };
      const cut = (cause?: Error): void => {
        settle(() => {
          reject(bodyCut(cause));
        });
      };
      incoming.on('data', onData).on('end', onEnd).on('error', cut).on('close', cut);
      // A listener alone does not resume a paused stream.
      incoming.resume();
      if (incoming.destroyed) cut();
    });
  }
}

/** Bytes; null for a chunked body. */
function contentLengthOf({ headers }: IncomingMessage): number | null {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] === undefined ? 0 : null;
}

/** Events, because iteration costs more than all other work on a small body. */
function readWhole(incoming: IncomingMessage, time: BodyTime): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const stopWatching = watchBody(incoming, time, reject);
    const cut = (cause?: Error): void => {
      stopWatching();
      reject(bodyCut(cause));
    };
    incoming
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        stopWatching();
        incoming.off('close', cut);
        resolve(joined(chunks));
      })
      .on('error', cut)
      .on('close', cut);
    if (incoming.destroyed) cut();
  });
}

const bodyCut = (cause?: Error): GatewayError =>
  new GatewayError('invalidRequest', 'The body ended before it was whole.', { cause });
