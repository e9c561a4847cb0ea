import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { casesListedIn, casesTriedIn } from '@svc/testing';

const docs = join(__dirname, '../../../docs');
const listed = casesListedIn(readFileSync(join(docs, 'webhook-hostile-tests.md'), 'utf8'));
const named = listed.flatMap(({ number, text }) =>
  [...text.matchAll(/\]\(([^)]+\.spec\.ts)\)/g)].map(([, spec = '']) => ({ number, spec })),
);

describe('the list of hostile tests', () => {
  it('is whole', () => {
    expect(listed.map(({ number }) => number)).toEqual(Array.from({ length: 44 }, (_, at) => at + 1));
  });

  it('names a spec in every row', () => {
    expect([...new Set(named.map(({ number }) => number))]).toEqual(listed.map(({ number }) => number));
  });

  it.each(named)('$number: is tried in $spec', ({ number, spec }) => {
    const file = join(docs, spec);
    expect(existsSync(file) && [...casesTriedIn(readFileSync(file, 'utf8'))]).toContain(number);
  });
});
