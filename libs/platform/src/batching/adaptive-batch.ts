/** Answers in the order of the items. Throws for all of them together. */
export type SendBatch<In, Out> = (items: readonly In[]) => Promise<readonly Out[]>;

export interface AdaptiveBatchOptions {
  readonly itemsMax: number;
  /** Whether the items themselves made the batch fail (and nothing of it happened), so that each may be tried alone. Never, without it. */
  readonly isItemFault?: (error: unknown) => boolean;
}

interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Turns single calls into batches without a timer: what comes in one turn of the event loop is sent together, and what
 * comes while a batch is under way when that is back. An idle caller waits for nothing; a busy one shares the round trip.
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

  /** Resolves when nothing is queued or under way. */
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
      for (let at = 0; at < batch.length; at++) batch[at]?.resolve(outs[at] as Out);
    } catch (error) {
      if (batch.length > 1 && this.options.isItemFault?.(error) === true) {
        for (const waiting of batch) await this.sendTogether([waiting]);
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }
}

/** When all that came in with this turn of the event loop has been looked at. */
const endOfTurn = (): Promise<void> => new Promise(setImmediate);
