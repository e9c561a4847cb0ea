import { StreamRecorder, type Operation } from '@svc/protocol';
import { answerContext, type ClaimRequest, type IdempotencyStore } from '@svc/persistence';
import { type Logger, type Sealer } from '@svc/platform';

/** A call's hold on its `Idempotency-Key`, from its claim to its stored answer or its release. */
export interface AnswerClaim {
  /** What the frames of a streamed answer are to be told to; null where nothing is kept. */
  recordStream(operation: Operation): StreamRecorder | null;
  /**
   * Stores the answer as its caller will get it. It stands once its call is settled: see docs/decisions/0006.
   * @returns false when the key went to another call meanwhile: this one must not be charged.
   */
  keep(answer: readonly Uint8Array[]): boolean | Promise<boolean>;
  /** Frees the key, unless an answer was kept. Never rejects. */
  release(): void | Promise<void>;
}

/** Of a call without the header: it pays for nothing of this. */
export const NO_CLAIM: AnswerClaim = {
  recordStream: () => null,
  keep: () => true,
  release: () => undefined,
};

export class HeldClaim implements AnswerClaim {
  private isOver = false;

  constructor(
    private readonly request: ClaimRequest,
    private readonly store: IdempotencyStore,
    private readonly sealer: Sealer,
    private readonly logger: Logger,
  ) {}

  recordStream(operation: Operation): StreamRecorder {
    return new StreamRecorder(operation);
  }

  async keep(answer: readonly Uint8Array[]): Promise<boolean> {
    const { organizationId, requestId } = this.request;
    try {
      const sealed = this.sealer.seal(Buffer.concat(answer), answerContext(organizationId, requestId));
      this.isOver = await this.store.keep(this.request, sealed);
      return this.isOver;
    } catch (error) {
      // The caller still gets what was generated; its key is free again.
      this.logger.error({ request_id: requestId, err: error }, 'answer not kept for its idempotency key');
      return true;
    }
  }

  async release(): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    try {
      await this.store.release(this.request);
    } catch (error) {
      this.logger.error({ request_id: this.request.requestId, err: error }, 'idempotency key not released');
    }
  }
}
