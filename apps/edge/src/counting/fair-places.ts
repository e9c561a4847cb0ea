/**
 * A number of places that no tenant can fill: it may take one more while it has fewer than are left. Alone it gets
 * half of them, and in time all who want many have as many.
 */
export class FairPlaces {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();

  constructor(private readonly placeCount: number) {}

  hasRoomFor(tenant: string): boolean {
    return this.of(tenant) < this.placeCount - this.taken;
  }

  /** Keeps a place for as long as the work takes. Whether there is one is asked before. */
  async during<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    this.add(tenant, 1);
    try {
      return await work();
    } finally {
      this.add(tenant, -1);
    }
  }

  private add(tenant: string, change: 1 | -1): void {
    const count = this.of(tenant) + change;
    this.taken += change;
    if (count === 0) this.takenBy.delete(tenant);
    else this.takenBy.set(tenant, count);
  }

  private of(tenant: string): number {
    return this.takenBy.get(tenant) ?? 0;
  }
}
