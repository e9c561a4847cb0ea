import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { casesListedIn, casesTriedIn } from '@svc/testing';

const workspace = join(__dirname, '../../..');
const listed = casesListedIn(readFileSync(join(workspace, 'docs/oauth-hostile-tests.md'), 'utf8')).map(
  ({ number }) => number,
);

const tried = new Set(
  ['apps/auth/src', 'apps/e2e/src/oauth', 'libs/access/src/access-tokens'].flatMap((folder) =>
    readdirSync(join(workspace, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.spec.ts'))
      .flatMap((file) => [...casesTriedIn(readFileSync(join(workspace, folder, file), 'utf8'))]),
  ),
);

describe('the list of hostile tests', () => {
  it('is whole', () => {
    expect(listed).toEqual(Array.from({ length: 90 }, (_, at) => at + 1));
  });

  it.each(listed)('has a test of %i', (number) => {
    expect(tried).toContain(number);
  });
});
