// Measured figures beside their limits.

/** The 95th percentile. */
export const p95 = (figures) => figures.toSorted((a, b) => a - b)[Math.ceil(figures.length * 0.95) - 1];

export class Bar {
  #rows = [];
  #unmeasured = [];

  /** A figure that must not be more than `limit`. */
  atMost(limit, unit, what, figure) {
    this.#rows.push({ what, figure, limit, unit, isKept: figure <= limit });
  }

  /** What this run has no figure of, and why. */
  unmeasured(what, why) {
    this.#unmeasured.push(`${what}: not measured, ${why}`);
  }

  get isKept() {
    return this.#rows.every(({ isKept }) => isKept);
  }

  /** @returns lines of text: what was measured, the figure, its limit, and whether it is kept; then what was not measured. */
  table() {
    const cells = this.#rows.map(({ what, figure, limit, unit, isKept }) => [
      what,
      `${shown(figure)} ${unit}`,
      `${shown(limit)} ${unit}`,
      isKept ? 'kept' : 'NOT KEPT',
    ]);
    const lines = [['', 'measured', 'at most', ''], ...cells];
    const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column].length)));
    const rows = lines.map((line) =>
      line.map((cell, at) => (at % 3 === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  '),
    );
    return [...rows, ...this.#unmeasured].join('\n');
  }
}

const shown = (figure) => figure.toLocaleString('en-US', { maximumFractionDigits: figure < 10 ? 1 : 0 });
