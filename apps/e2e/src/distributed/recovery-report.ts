/** Prints a table to stderr: one row per fault, in the order of the faults. */
export function printTable(title: string, rows: readonly Readonly<Record<string, string | number>>[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const text = (value: string | number | undefined) => String(value ?? '');
  const widths = columns.map((column) =>
    Math.max(column.length, ...rows.map((row) => text(row[column]).length)),
  );
  const line = (cells: readonly string[]) => cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
  const lines = [line(columns), ...rows.map((row) => line(columns.map((column) => text(row[column]))))];
  process.stderr.write(`\n${title}\n${lines.map((each) => `  ${each.trimEnd()}\n`).join('')}\n`);
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
