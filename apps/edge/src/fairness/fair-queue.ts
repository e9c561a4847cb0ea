interface Waiting {
  readonly size: number;
  begin(): void;
}

interface TenantQueue {
  readonly waiting: Waiting[];
  /** The tenant's virtual time: the size of all its work so far, and its late start. */
  virtualTime: number;
}

/**
 * A fair queue, served one job at a time: the tenant with the least virtual time is next. So a tenant with many or large
 * jobs delays its own jobs only.
 */
export class FairQueue {
  private readonly queues = new Map<string, TenantQueue>();
  private isBusy = false;
  /** Virtual time at which the running job began. A new tenant starts there: it earns nothing for being idle. */
  private virtualTime = 0;

  /** @param size of the work, in the same unit for all tenants. */
  async run<T>(tenant: string, size: number, work: () => Promise<T>): Promise<T> {
    await this.turnOf(tenant, size);
    try {
      return await work();
    } finally {
      this.next();
    }
  }

  private turnOf(tenant: string, size: number): Promise<void> {
    return new Promise((begin) => {
      const queue = this.queues.get(tenant) ?? { waiting: [], virtualTime: 0 };
      if (queue.waiting.length === 0) queue.virtualTime = Math.max(queue.virtualTime, this.virtualTime);
      queue.waiting.push({ size, begin });
      this.queues.set(tenant, queue);
      if (!this.isBusy) this.next();
    });
  }

  private next(): void {
    const queue = this.nextQueue();
    this.isBusy = queue !== null;
    if (queue === null) {
      this.queues.clear();
      this.virtualTime = 0;
      return;
    }
    this.virtualTime = queue.virtualTime;
    const first = queue.waiting.shift();
    queue.virtualTime += first?.size ?? 0;
    first?.begin();
  }

  /** Also deletes empty queues that are no longer ahead of the others. */
  private nextQueue(): TenantQueue | null {
    let next: TenantQueue | null = null;
    for (const [tenant, queue] of this.queues) {
      if (queue.waiting.length === 0) {
        if (queue.virtualTime <= this.virtualTime) this.queues.delete(tenant);
      } else if (next === null || queue.virtualTime < next.virtualTime) next = queue;
    }
    return next;
  }
}
