import { join } from 'node:path';
import { deadExports } from './dead-exports';
import { readRepository } from './repository';

it('every export is used in another file', () => {
  expect(deadExports(readRepository(join(__dirname, '../..')))).toEqual([]);
});

it('an export that only an index names is dead, and one that another file names is not', () => {
  const repository = new Map([
    ['libs/a/src/used.ts', 'export const used = 1;'],
    ['libs/a/src/unused.ts', 'export interface Unused {}'],
    ['libs/a/src/index.ts', "export { used } from './used';\nexport { type Unused } from './unused';"],
    ['apps/b/src/main.ts', "import { used } from '@svc/a';"],
  ]);
  expect(deadExports(repository)).toEqual(['libs/a/src/unused.ts: Unused']);
});
