/** Work that is done one at a time, the tenants by turns: who brings much waits for its own. */
export class FairTurns {
  /** What waits, by its tenant; whose turn it is next comes first. */
  private readonly lines = new Map<string, (() => void)[]>();
  private isBusy = false;

  async take<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    await this.turnOf(tenant);
    try {
      return await work();
    } finally {
      this.next();
    }
  }

  private turnOf(tenant: string): Promise<void> {
    return new Promise((begin) => {
      const line = this.lines.get(tenant);
      if (line !== undefined) line.push(begin);
      else this.lines.set(tenant, [begin]);
      if (!this.isBusy) this.next();
    });
  }

  private next(): void {
    const [first] = this.lines;
    this.isBusy = first !== undefined;
    if (first === undefined) return;
    const [tenant, [begin, ...others]] = first;
    this.lines.delete(tenant);
    if (others.length > 0) this.lines.set(tenant, others);
    begin?.();
  }
}
