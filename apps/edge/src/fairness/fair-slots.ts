/**
 * A number of slots that no tenant can fill: a tenant may take one more while it holds fewer than are free. Alone it gets
 * half of them. Tenants that all want many come to hold equal shares.
 */
export class FairSlots {
  private usedCount = 0;
  private readonly usedBy = new Map<string, number>();

  constructor(private readonly slotCount: number) {}

  hasSlotFor(tenant: string): boolean {
    return this.of(tenant) < this.slotCount - this.usedCount;
  }

  /** Holds a slot while the work runs. The caller checks {@link hasSlotFor} first. */
  async run<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    this.add(tenant, 1);
    try {
      return await work();
    } finally {
      this.add(tenant, -1);
    }
  }

  private add(tenant: string, change: 1 | -1): void {
    const count = this.of(tenant) + change;
    this.usedCount += change;
    if (count === 0) this.usedBy.delete(tenant);
    else this.usedBy.set(tenant, count);
  }

  private of(tenant: string): number {
    return this.usedBy.get(tenant) ?? 0;
  }
}
