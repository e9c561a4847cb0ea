import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue, type ErrorDefinition } from './catalogue';

const docs = join(__dirname, '../../../../docs');
const catalogue: readonly ErrorDefinition[] = Object.values(errorCatalogue);

const cells = (row: string) =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The rows of interface.md's table "Gateway errors". */
function promisedErrors(): string[][] {
  const text = readFileSync(join(docs, 'interface.md'), 'utf8');
  const section = /^### Gateway errors\n+([\s\S]*?)\n+###/m.exec(text)?.[1] ?? '';
  return section.split('\n').slice(2).map(cells);
}

/** Codes and types that interface.md leaves open, by status (contract.md section 3). */
const decided: Readonly<Record<string, { type?: string; code?: string }>> = {
  401: { type: 'authentication' },
  402: { code: 'insufficient_funds' },
  403: { code: 'permission_denied' },
  404: { code: 'not_found' },
  422: { code: 'capability_unsupported' },
  500: { code: 'internal' },
  502: { code: 'provider_error' },
  503: { code: 'overloaded' },
};

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
    'This page is written from the error catalogue: `UPDATE_DOCS=1 nx test kernel`.',
    '',
  ].join('\n');

describe('the error catalogue', () => {
  it('is what docs/errors.md says', () => {
    const file = join(docs, 'errors.md');
    if (process.env['UPDATE_DOCS']) writeFileSync(file, page());
    expect(readFileSync(file, 'utf8')).toBe(page());
  });

  it('finds the whole table of the interface', () => {
    expect(promisedErrors()).toHaveLength(21);
  });

  it.each(promisedErrors())('holds the promised %s %s %s', (status, type, code, retry) => {
    const found = catalogue.filter(
      (row) =>
        row.status === Number(status) &&
        row.type === (type || decided[status!]?.type) &&
        row.code === (code?.replace(/provider_http_4xx.*/, 'provider_http_400') || decided[status!]?.code) &&
        row.retriable === (retry === 'yes'),
    );
    expect(found).toHaveLength(1);
  });

  it('lets only an unhandled failure be retried of all failures of our own', () => {
    const ownFailures = catalogue.filter(({ status }) => status === 500);
    expect(ownFailures.map(({ retriable }) => retriable)).toEqual([false, true]);
  });
});
