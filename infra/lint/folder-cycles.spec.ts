import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileCyclesIn, folderCyclesIn, importsOf, type Import } from './folder-cycles';

const root = join(__dirname, '../..');
const WEB = 'apps/console/web';
const sources = ['apps', 'libs']
  .flatMap((kind) => readdirSync(join(root, kind)).map((name) => `${kind}/${name}/src`))
  .concat(WEB);

describe('the folders of a project', () => {
  it.each(sources)('import each other in one direction only: %s', (source) => {
    expect(folderCyclesIn(importsOf(join(root, source)))).toEqual([]);
  });

  it('that import each other indirectly are reported, with the imports of the cycle', () => {
    const planted: Import[] = [
      { from: 'call/call.ts', to: 'reply/reply.ts' },
      { from: 'reply/reply.ts', to: 'limits/limits.ts' },
      { from: 'limits/limits.ts', to: 'call/call.ts' },
      { from: 'limits/limits.ts', to: 'limits/bucket.ts' },
      { from: 'main.ts', to: 'call/call.ts' },
      { from: 'call/call.ts', to: 'clock.ts' },
    ];
    expect(folderCyclesIn(planted)).toEqual([
      {
        nodes: ['call', 'limits', 'reply'],
        imports: [
          'call/call.ts imports reply/reply.ts',
          'reply/reply.ts imports limits/limits.ts',
          'limits/limits.ts imports call/call.ts',
        ],
      },
    ]);
  });

  it('are read from the sources: the edge has folders that import others', () => {
    const imports = importsOf(join(root, 'apps/edge/src'));
    expect(imports).toContainEqual({ from: 'pipeline/inference-pipeline.ts', to: 'call/inference-call.ts' });
  });
});

describe('the files of the console', () => {
  it('import each other in one direction only, what is loaded later too', () => {
    expect(fileCyclesIn(importsOf(join(root, WEB)))).toEqual([]);
  });

  it('that import each other within a folder are reported', () => {
    const planted: Import[] = [
      { from: 'pages/keys/route.ts', to: 'pages/keys/keys-page.tsx' },
      { from: 'pages/keys/keys-page.tsx', to: 'pages/keys/route.ts' },
      { from: 'pages/keys/keys-page.tsx', to: 'pages/keys/text.ts' },
    ];
    expect(fileCyclesIn(planted).map(({ nodes }) => nodes)).toEqual([
      ['pages/keys/keys-page.tsx', 'pages/keys/route.ts'],
    ]);
    expect(folderCyclesIn(planted)).toEqual([]);
  });

  it('are read with what is written in JSX', () => {
    expect(importsOf(join(root, WEB))).toContainEqual({
      from: 'app/page-files/keys.ts',
      to: 'pages/keys/keys-page.tsx',
    });
  });
});
