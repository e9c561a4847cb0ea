import { type ExportFormat } from './export-kinds';
import { type ExportRow } from './export-row';

/** How rows of an export become text. */
interface Rendering {
  /** Before the first row; empty for none. */
  readonly head: string;
  rows(rows: readonly ExportRow[]): string;
}

/**
 * - CSV (RFC 4180): a header, records that end with CR LF, quotes where they are needed. A field that is no plain value is one cell of
 *   JSON. No text is read as a formula: see {@link cellOf}.
 * - JSON lines (https://jsonlines.org): a row a line, nested as the API shows it.
 * @param columns names with dots, in the order of the file.
 */
export function renderingOf(format: ExportFormat, columns: readonly string[]): Rendering {
  const paths = columns.map((column) => column.split('.'));
  if (format === 'jsonl') {
    return {
      head: '',
      rows: (rows) => rows.map((row) => `${JSON.stringify(picked(row, paths))}\n`).join(''),
    };
  }
  return {
    head: `${columns.join(',')}\r\n`,
    rows: (rows) =>
      rows.map((row) => `${paths.map((path) => cellOf(valueAt(row, path))).join(',')}\r\n`).join(''),
  };
}

const isFields = (value: unknown): value is ExportRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined where a field on the way is null or absent. */
function valueAt(row: ExportRow, path: readonly string[]): unknown {
  let value: unknown = row;
  for (const name of path) value = isFields(value) ? value[name] : undefined;
  return value;
}

/** The row with these fields only. A nested field that is null stays null. */
function picked(row: ExportRow, paths: readonly (readonly string[])[]): ExportRow {
  const made: Record<string, unknown> = {};
  for (const [name = '', ...rest] of paths) {
    const value = row[name];
    if (rest.length === 0 || !isFields(value)) made[name] = value;
    else made[name] = { ...(isFields(made[name]) ? made[name] : {}), ...picked(value, [rest]) };
  }
  return made;
}

/**
 * How programs for tables know a formula (https://owasp.org/www-community/attacks/CSV_Injection): by a sign at the start of
 * a cell, full-width ones too.
 */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/u;
/**
 * Where such a program takes another separator than the comma, a cell also starts after it and after a line break: quotes
 * in the middle do not hold it together. Each match takes all separators in a row, so that a long row of them takes no
 * longer than its length.
 */
const LATER_CELL = /[;\t\r\n][;\t\r\n" ]*([=+\-@＝＋－＠])?/gu;
/** In JSON, where line breaks and tabs are escaped already. */
const LATER_CELL_IN_JSON = /;[; "\\]*([=+\-@＝＋－＠])?/gu;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * One cell. A text that a program for tables would run gets an apostrophe before its sign; numbers stay numbers. In JSON
 * the sign is escaped, so that the value stays the same.
 */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') {
    const json = JSON.stringify(value);
    return quoted(json.replace(LATER_CELL_IN_JSON, withSign(jsonEscape)));
  }
  const text = FORMULA.test(value) ? `'${value}` : value;
  return quoted(
    text.replace(
      LATER_CELL,
      withSign((sign) => `'${sign}`),
    ),
  );
}

const withSign =
  (shown: (sign: string) => string) =>
  (start: string, sign: string | undefined): string =>
    sign === undefined ? start : start.slice(0, -sign.length) + shown(sign);

const jsonEscape = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

const quoted = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
