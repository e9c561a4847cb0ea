/** The queue of one collector, oldest first. When it is full, the oldest make room. */
export class ExportQueue<T> {
  private readonly items: T[] = [];
  /** Items before this were taken. They are cut off together: shifting each would move all others. */
  private start = 0;

  constructor(private readonly itemsMax: number) {}

  get length(): number {
    return this.items.length - this.start;
  }

  /** @returns how many of the oldest were dropped for it. */
  add(item: T): number {
    this.items.push(item);
    return this.length > this.itemsMax ? this.drop(1) : 0;
  }

  /** Takes the oldest. */
  take(itemsMax: number): readonly T[] {
    const end = Math.min(this.start + itemsMax, this.items.length);
    const taken = this.items.slice(this.start, end);
    this.moveTo(end);
    return taken;
  }

  /** Puts back what was taken last. @returns how many of the oldest were dropped for it. */
  putBack(taken: readonly T[]): number {
    this.items.splice(0, this.start, ...taken);
    this.start = 0;
    return this.length > this.itemsMax ? this.drop(this.length - this.itemsMax) : 0;
  }

  /** Drops the oldest. @returns how many there were to drop. */
  drop(count: number): number {
    const dropped = Math.min(count, this.length);
    this.moveTo(this.start + dropped);
    return dropped;
  }

  private moveTo(start: number): void {
    this.start = start;
    if (this.start * 2 < this.items.length) return;
    this.items.splice(0, this.start);
    this.start = 0;
  }
}
