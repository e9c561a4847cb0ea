// The rows of a scenario as a table, for the terminal and, being Markdown, for the page.

const percent = (value) => `${Math.round(value * 100)}%`;
const fixed = (digits) => (value) => value.toLocaleString('en-US', { maximumFractionDigits: digits });
const times = (value) => (value >= 10 ? value.toFixed(1) : value.toFixed(2));

/** A column is shown when any row has a value. Other figures are in the JSON only. */
const columns = [
  ['calls/s', 'figures', 'callsPerSecond', fixed(0)],
  ['core busy', 'figures', 'busy', percent],
  ['CPU µs/call', 'figures', 'cpuMicros', fixed(1)],
  ['CPU µs/chunk', 'figures', 'frameMicros', fixed(1)],
  ['PostgreSQL µs', 'figures', 'postgresqlMicros', fixed(1)],
  ['Redis µs', 'figures', 'redisMicros', fixed(1)],
  ['chunks/s', 'figures', 'framesPerSecond', fixed(0)],
  ['p50 ms', 'figures', 'p50Ms', fixed(2)],
  ['p99 ms', 'figures', 'p99Ms', fixed(2)],
  ['added p50', 'figures', 'addedP50Ms', fixed(2)],
  ['added p99', 'figures', 'addedP99Ms', fixed(2)],
  ['first byte p50', 'figures', 'firstByteP50Ms', fixed(2)],
  ['added', 'figures', 'addedFirstByteP50Ms', fixed(2)],
  ['gap p50', 'figures', 'gapP50Ms', fixed(2)],
  ['gap p99', 'figures', 'gapP99Ms', fixed(2)],
  ['ready ms', 'figures', 'readyMs', fixed(0)],
  ['first MB', 'figures', 'firstMegabytes', fixed(0)],
  ['last MB', 'figures', 'lastMegabytes', fixed(0)],
  ['growth', 'figures', 'growth', percent],
  ['MB', 'figures', 'residentMegabytes', fixed(0)],
  ['transactions/key', 'figures', 'transactionsPerKey', fixed(3)],
  ['rows/call', 'figures', 'rowsPerCall', fixed(1)],
  ['WAL bytes/call', 'figures', 'walBytesPerCall', fixed(0)],
  ['bytes kept/call', 'figures', 'keptBytesPerCall', fixed(0)],
  ['throughput', 'ratios', 'callsPerSecond', times],
  ['of one core', 'ratios', 'callsPerCoreSecond', times],
];

/** @returns lines of Markdown; each cell is the median, with the minimum and maximum of the rounds in the last two columns. */
export function tableOf({ hidden = [] }, rows) {
  const shown = columns.filter(
    ([, kind, name]) => !hidden.includes(name) && rows.some((row) => row[kind][name] !== undefined),
  );
  const body = rows.map((row) => [
    row.label,
    ...(row.failure === undefined
      ? shown.map(([, kind, name, format]) => cell(row[kind][name], kind, format))
      : ['failed', ...shown.slice(1).map(() => '')]),
  ]);
  return aligned([['', ...shown.map(([title]) => title)], ...body]);
}

function cell(spread, kind, format) {
  if (spread === undefined) return '–';
  const { median, min, max } = spread;
  return kind === 'ratios' && min !== max
    ? `${format(median)} (${format(min)}–${format(max)})`
    : format(median);
}

function aligned(lines) {
  const widths = lines[0].map((_, at) => Math.max(3, ...lines.map((line) => line[at].length)));
  const written = lines.map((line) => {
    const cells = line.map((text, at) => (at === 0 ? text.padEnd(widths[at]) : text.padStart(widths[at])));
    return `| ${cells.join(' | ')} |`;
  });
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [written[0], `| ${rule.join(' | ')} |`, ...written.slice(1)].join('\n');
}

export const promiseLine = ({ promise, value, kept, ...bounds }) =>
  `${kept ? 'kept' : 'NOT KEPT'}: ${promise}: ${value.toFixed(2)} (${boundOf(bounds)})`;

export const boundOf = ({ atLeast, atMost }) =>
  atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;

export const holds = ({ value, atLeast = -Infinity, atMost = Infinity }) =>
  value >= atLeast && value <= atMost;
