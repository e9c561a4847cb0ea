import { spawnSync } from 'node:child_process';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { jsonInteger } from '@svc/kernel';
import { cellOf, renderingOf } from './render-rows';

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      '＝',
      '＋',
      '－',
      '＠',
      '\t',
      '\r',
      '\n',
      '"',
      ',',
      ';',
      "'",
      'a',
      ' ',
    ),
  }),
);
const SIGNS = '=+-@＝＋－＠';
/** As programs for tables know a formula. */
const isFormula = (cell: string): boolean => `${SIGNS}\t\r\n`.includes(cell.charAt(0)) && cell !== '';

/** The text as it is written, one character after another. */
function shown(text: string): string {
  let [written, startsCell] = [isFormula(text) ? "'" : '', false];
  for (const character of text) {
    if (startsCell && SIGNS.includes(character)) written += "'";
    startsCell = ';\t\r\n'.includes(character) || (startsCell && '" '.includes(character));
    written += character;
  }
  return written;
}

/** The text as another reader reads it. */
function readBy(python: string, csv: string): unknown {
  const { stdout, status } = spawnSync('python3', ['-c', python], { input: csv });
  return status === 0 ? (JSON.parse(stdout.toString()) as unknown) : null;
}
const PYTHON = `import csv, io, json, sys
text = sys.stdin.buffer.read().decode('utf-8')
print(json.dumps(list(csv.reader(io.StringIO(text, newline=''), strict=True))))`;

describe('CSV', () => {
  it('another writer writes the same cells', () => {
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 2 }), { minLength: 1 }), (rows) => {
        const { rows: render } = renderingOf('csv', ['a', 'b']);
        const ours = render(rows.map(([a = '', b = '']) => ({ a, b })));
        const theirs = stringify(rows, {
          record_delimiter: '\r\n',
          // It knows more signs of formulas than the promise names, and numbers: only the quotes are compared.
          cast: { string: shown },
          quoted_match: /[\r\n]/,
          quoted_empty: false,
        });
        expect(ours).toBe(theirs);
      }),
    );
  });

  it('a strict reader of another language reads every text back', () => {
    const rows = fc.sample(fc.record({ a: text, b: text }), { numRuns: 300, seed: 7 });
    const { head, rows: render } = renderingOf('csv', ['a', 'b']);
    const cells = readBy(PYTHON, head + render(rows));
    // Not every machine has it.
    if (cells === null) return;
    expect(cells).toEqual([['a', 'b'], ...rows.map(({ a, b }) => [shown(a), shown(b)])]);
  });

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '=HYPERLINK("http://evil.example";"x")',
    '-2+3+cmd|x',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    '\nx',
  ])('the text %j is no formula', (value) => {
    expect(isFormula(cellOf(value).replace(/^"/, ''))).toBe(false);
    expect(cellOf(value)).toMatch(/^"?'/);
  });

  it.each([
    'a;=1+1',
    'a; =1+1',
    'a;;@SUM(A1)',
    'a;"=1+1"',
    'a\n=1+1',
    'a\r\n"+1',
    'a\t-1',
    'a;＝1+1',
    { team: 'a;=1+1' },
    { team: 'a;"=1+1' },
    [';＝1', '; +1'],
  ])('no cell of %j is a formula where another separator than the comma is taken', (value) => {
    for (const cell of cellOf(value).split(/[;\t\r\n]/)) {
      expect(isFormula(cell.replace(/^[" \\]*/, ''))).toBe(false);
    }
  });

  it('JSON says the same as before', () => {
    fc.assert(
      fc.property(fc.dictionary(text, text), (value) => {
        const cell = cellOf(value);
        const json = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('numbers stay numbers, and free-form fields are one cell of JSON', () => {
    expect(cellOf(-123_456)).toBe('-123456');
    expect(cellOf(jsonInteger(2n ** 70n))).toBe('1180591620717411303424');
    expect(cellOf(false)).toBe('false');
    expect(cellOf(null)).toBe('');
    expect(cellOf({ team: '=1+1, "x"' })).toBe('"{""team"":""=1+1, \\""x\\""""}"');
    expect(cellOf([])).toBe('[]');
  });

  it('has a header with dots, and an empty cell where a field is null', () => {
    const { head, rows } = renderingOf('csv', ['id', 'error.code', 'usage.input_tokens']);
    expect(head).toBe('id,error.code,usage.input_tokens\r\n');
    expect(rows([{ id: 'req_1', error: null, usage: { input_tokens: 5 } }])).toBe('req_1,,5\r\n');
  });
});

describe('JSON lines', () => {
  it('are rows as they are, nested, with the columns that were asked for', () => {
    const row = {
      id: 'req_1',
      error: null,
      usage: { input_tokens: 5, output_tokens: 6 },
      metadata: { a: 'b' },
    };
    const all = renderingOf('jsonl', [
      'id',
      'error.code',
      'usage.input_tokens',
      'usage.output_tokens',
      'metadata',
    ]);
    expect(all.head).toBe('');
    expect(all.rows([row, row])).toBe(`${JSON.stringify(row)}\n`.repeat(2));
    expect(renderingOf('jsonl', ['usage.output_tokens', 'id']).rows([row])).toBe(
      '{"usage":{"output_tokens":6},"id":"req_1"}\n',
    );
  });

  it('have no line within a line', () => {
    fc.assert(
      fc.property(text, (a) => {
        const line = renderingOf('jsonl', ['a']).rows([{ a }]);
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(JSON.parse(line)).toEqual({ a });
      }),
    );
  });
});
