import { StreamRecorder, type Operation } from '@svc/protocol';
import { answerContext, type ClaimRequest, type IdempotencyStore } from '@svc/ledger/store';
import { type Sealer } from '@svc/runtime';
import { type Logger } from '@svc/runtime/observability';
import { type PendingReleases } from './pending-releases';

/** A call's claim on its `Idempotency-Key`, until its answer is stored or the key is released. */
export interface AnswerClaim {
  /** Records the frames of a streamed answer; null when no answer is stored. */
  recordStream(operation: Operation): StreamRecorder | null;
  /**
   * Stores the answer as its caller will get it. It is replayed once its call is settled: see docs/decisions/0006.
   * @returns false when another call took the key meanwhile: this one must not be charged.
   */
  keep(answer: readonly Uint8Array[]): boolean | Promise<boolean>;
  /** Releases the key, unless an answer was stored. Never rejects, and waits briefly for an unreachable database. */
  release(): void | Promise<void>;
}

/** The claim of a call without the header. */
export const NO_CLAIM: AnswerClaim = {
  recordStream: () => null,
  keep: () => true,
  release: () => undefined,
};

interface HeldClaimParts {
  readonly store: IdempotencyStore;
  readonly sealer: Sealer;
  readonly releases: PendingReleases;
  readonly logger: Logger;
}

export class HeldClaim implements AnswerClaim {
  private isOver = false;

  constructor(
    private readonly request: ClaimRequest,
    private readonly parts: HeldClaimParts,
  ) {}

  recordStream(operation: Operation): StreamRecorder {
    return new StreamRecorder(operation);
  }

  async keep(answer: readonly Uint8Array[]): Promise<boolean> {
    const { organizationId, requestId } = this.request;
    const { store, sealer, logger } = this.parts;
    try {
      const sealed = sealer.seal(Buffer.concat(answer), answerContext(organizationId, requestId));
      this.isOver = await store.keep(this.request, sealed);
      return this.isOver;
    } catch (error) {
      // The caller still gets its answer; its key is released.
      logger.error({ request_id: requestId, err: error }, 'answer not kept for its idempotency key');
      return true;
    }
  }

  async release(): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    const { store, releases, logger } = this.parts;
    const released = store.release(this.request).catch((error: unknown) => {
      logger.error({ request_id: this.request.requestId, err: error }, 'idempotency key not released');
    });
    await releases.waitFor(released);
  }
}
