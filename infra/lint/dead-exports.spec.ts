import { join } from 'node:path';
import { deadExports, sourceFiles } from './dead-exports';

it('every export is used in another file', () => {
  expect(deadExports(sourceFiles(join(__dirname, '../..')))).toEqual([]);
});

it('an export that only an index names is dead, and one that another file names is not', () => {
  const files = [
    { path: 'libs/a/src/used.ts', text: 'export const used = 1;' },
    { path: 'libs/a/src/unused.ts', text: 'export interface Unused {}' },
    {
      path: 'libs/a/src/index.ts',
      text: "export { used } from './used';\nexport { type Unused } from './unused';",
    },
    { path: 'apps/b/src/main.ts', text: "import { used } from '@svc/a';" },
  ];
  expect(deadExports(files)).toEqual(['libs/a/src/unused.ts: Unused']);
});
