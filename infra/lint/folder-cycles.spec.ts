import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cyclesIn, importsOf, type Import } from './folder-cycles';

const root = join(__dirname, '../..');
const projects = ['apps', 'libs'].flatMap((kind) =>
  readdirSync(join(root, kind)).map((name) => `${kind}/${name}`),
);

describe('the folders of a project', () => {
  it.each(projects)('import each other in one direction only: %s', (project) => {
    expect(cyclesIn(importsOf(join(root, project, 'src')))).toEqual([]);
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
    expect(cyclesIn(planted)).toEqual([
      {
        folders: ['call', 'limits', 'reply'],
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
