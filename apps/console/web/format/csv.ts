/** The beginning of a text that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A cell: a number as it is, a text so that no spreadsheet runs it. */
export type CsvCell = string | number | bigint | null;

/** Comma-separated values as RFC 4180 has them, with a first line of headers. */
export const csvOf = (headers: readonly string[], rows: Iterable<readonly CsvCell[]>): string =>
  [headers, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('');

function cellText(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const inert = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
