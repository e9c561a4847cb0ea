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

const page = () =>
  [
    '# Errors',
    '',
    'Every error answer has the body `{"error": {type, message, code, param, request_id, retriable}}` and the header',
    '`x-should-retry`, equal to `retriable`. `param` is there when a field, header or bucket is at fault.',
    '',
    '| HTTP | type | code | retriable | when |',
    '|---|---|---|---|---|',
    ...catalogue.map(({ status, type, code, retriable, condition }) =>
      ['', status, `\`${type}\``, `\`${code}\``, retriable ? 'yes' : 'no', condition, ''].join(' | ').trim(),
    ),
    '',
    'This page is written from the error catalogue: `UPDATE_DOCS=1 npm run spec -- libs/kernel`.',
    '',
  ].join('\n');

describe('the error catalogue', () => {
  it('equals docs/errors.md', () => {
    const file = join(docs, 'errors.md');
    if (process.env['UPDATE_DOCS']) writeFileSync(file, page());
    expect(readFileSync(file, 'utf8')).toBe(page());
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
