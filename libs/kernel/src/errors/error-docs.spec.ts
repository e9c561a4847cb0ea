import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue, type ErrorDefinition } from './catalogue';

const docs = join(__dirname, '../../../../docs');
const catalogue: readonly ErrorDefinition[] = Object.values(errorCatalogue);

/** A page of the reference, as one line. */
const reference = (name: string): string =>
  readFileSync(join(docs, 'reference', name), 'utf8').replaceAll(/\s+/g, ' ');

const statusAndCode = ({ status, code }: ErrorDefinition) => `${String(status)} ${code}`;

/** The texts of the rows, sorted and without duplicates. */
const named = (text: (row: ErrorDefinition) => string, rows = catalogue): string[] =>
  [...new Set(rows.map(text))].sort();

/** The rows of the table of all codes. */
const TABLE = /(?<=\n## The codes\n.*?\n\| ---[^\n]*\n)(?:\|[^\n]*\n)+/s;
const rows = () =>
  catalogue.map(({ status, type, code, retriable, condition }) => [
    String(status),
    `\`${code}\``,
    `\`${type}\``,
    retriable ? 'yes' : 'no',
    condition,
  ]);

describe('the error catalogue', () => {
  it('equals the table of docs/reference/errors.md', () => {
    const file = join(docs, 'reference/errors.md');
    const page = readFileSync(file, 'utf8');
    const written = page.replace(TABLE, () =>
      rows()
        .map((cells) => `| ${cells.join(' | ')} |\n`)
        .join(''),
    );
    if (process.env['UPDATE_DOCS']) writeFileSync(file, written);
    const [table = ''] = TABLE.exec(process.env['UPDATE_DOCS'] ? written : page) ?? [];
    const cells = (line: string) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
    expect(table.trim().split('\n').map(cells)).toEqual(rows());
  });

  it('has the type that the reference gives each status', () => {
    const [, told = ''] = /`type` follows from the status: (.*?)\./.exec(reference('errors.md')) ?? [];
    const types = Array.from(told.matchAll(/([\d, and]+) (?:is|are) `(\w+)`/g)).flatMap(
      ([, statuses = '', type = '']) => (statuses.match(/\d{3}/g) ?? []).map((status) => `${status} ${type}`),
    );
    expect(types.sort()).toEqual(named(({ status, type }) => `${String(status)} ${type}`));
  });

  it('has every error that a page of the reference names, and no other', () => {
    const pages = readdirSync(join(docs, 'reference')).map(reference);
    const promised = pages.flatMap((text) =>
      Array.from(
        text.matchAll(/\b([45]\d\d)(?: | *\| *)`([a-z_]+)`/g),
        ([, status, code]) => `${status!} ${code!}`,
      ),
    );
    expect([...new Set(promised)].sort()).toEqual(
      named(statusAndCode).filter((each) => !each.includes('provider_http')),
    );
  });

  it('marks as retriable what the reference says is', () => {
    const [, section = ''] = /## When to retry (.*?) ## /.exec(reference('errors.md')) ?? [];
    const bold = section.match(/\*\*.+?\*\*/g)?.join() ?? '';
    const promised = Array.from(
      bold.matchAll(/(\d{3}) `(\w+)`/g),
      ([, status, code]) => `${status!} ${code!}`,
    );
    expect(promised.sort()).toEqual(
      named(
        statusAndCode,
        catalogue.filter(({ retriable }) => retriable),
      ),
    );
  });

  it('marks of all internal failures only the unhandled one as retriable', () => {
    const ownFailures = catalogue.filter(({ status }) => status === 500);
    expect(ownFailures.map(({ retriable }) => retriable)).toEqual([false, true]);
  });
});
