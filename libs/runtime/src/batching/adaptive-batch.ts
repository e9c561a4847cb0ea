/**
 * Returns the answers in the order of the items. A slow answer is a promise, which does not delay the next batch. A
 * rejection fails all items.
 */
type SendBatch<In, Out> = (items: readonly In[]) => Promise<readonly (Out | Promise<Out>)[]>;

interface AdaptiveBatchOptions {
  readonly itemsMax: number;
  /**
   * True where the items caused the failure (and the batch had no effect), so that each may be retried alone. Without it
   * none is retried.
   */
  readonly isItemFault?: (error: unknown) => boolean;
}

interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out | Promise<Out>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Joins single calls into batches without a timer. Items of one turn of the event loop are sent together. Items that
 * come while a batch is in flight are sent after it. Without load an item is sent at once. Under load items share a
 * round trip.
 */
export class AdaptiveBatch<In, Out> {
  private queue: Waiting<In, Out>[] = [];
  private sending: Promise<void> | null = null;

  constructor(
    private readonly send: SendBatch<In, Out>,
    private readonly options: AdaptiveBatchOptions,
  ) {}

  add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      this.sending ??= this.sendAll();
    });
  }

  /** Number of items queued for the next batch. */
  get waitingCount(): number {
    return this.queue.length;
  }

  /** Resolves when nothing is queued or in flight. */
  async drain(): Promise<void> {
    while (this.sending !== null) await this.sending;
  }

  private async sendAll(): Promise<void> {
    while (this.queue.length > 0) {
      await endOfTurn();
      await this.sendTogether(this.nextBatch());
    }
    this.sending = null;
  }

  private nextBatch(): readonly Waiting<In, Out>[] {
    if (this.queue.length > this.options.itemsMax) return this.queue.splice(0, this.options.itemsMax);
    const all = this.queue;
    this.queue = [];
    return all;
  }

  private async sendTogether(batch: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const outs = await this.send(batch.map(({ item }) => item));
      for (let at = 0; at < batch.length; at++) batch[at]?.resolve(outs[at] as Out | Promise<Out>);
    } catch (error) {
      if (batch.length > 1 && this.options.isItemFault?.(error) === true) {
        for (const waiting of batch) await this.sendTogether([waiting]);
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }
}

/** Resolves when all input of this turn of the event loop has been handled. */
const endOfTurn = (): Promise<void> => new Promise(setImmediate);
