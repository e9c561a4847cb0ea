/** The store of what the edge `edge_1` reports: keeps each write, and fails as often as it is told to. */
export class WrittenReports<Report> {
  /** The reports of each write that succeeded. */
  readonly all: (readonly Report[])[] = [];
  /** How many of the next writes fail. */
  failures = 0;

  write(edgeInstanceId: string, reports: readonly Report[]): Promise<void> {
    expect(edgeInstanceId).toBe('edge_1');
    if (this.failures-- > 0) return Promise.reject(new Error('no answer'));
    this.all.push(reports);
    return Promise.resolve();
  }
}
