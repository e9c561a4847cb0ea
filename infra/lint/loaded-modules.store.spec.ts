import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
/** With the driver and Prisma. */
const MODULES_MAX = 250;
/** An export explains what a call cost, by the catalog, which reads YAML and is checked by zod. */
const EXPORTS_MODULES_MAX = 540;

const stores = readdirSync(join(root, 'libs')).filter((lib) =>
  existsSync(join(root, 'libs', lib, 'src/store/index.ts')),
);

/** The files that Node.js loads for a module of the build. */
function loadedBy(file: string): readonly string[] {
  const program = `require('reflect-metadata'); require(process.argv[1]); console.log(JSON.stringify(Object.keys(require.cache)))`;
  const output = execFileSync(process.execPath, ['-e', program, join(root, 'dist', file)], {
    cwd: root,
    encoding: 'utf8',
  });
  return JSON.parse(output) as string[];
}

describe('who loads a store', () => {
  it.each(stores)('loads neither Nest nor Fastify, and few modules: %s', (lib) => {
    const loaded = loadedBy(`libs/${lib}/src/store/index.js`);
    expect(loaded.filter((path) => /node_modules\/(@nestjs|fastify|@fastify)\//.test(path))).toEqual([]);
    expect(loaded.length).toBeLessThan(lib === 'exports' ? EXPORTS_MODULES_MAX : MODULES_MAX);
  });

  it('is read from what was loaded: the lib of HTTP loads both', () => {
    const loaded = loadedBy('libs/http/src/index.js');
    expect(loaded.some((path) => path.includes('node_modules/@nestjs/core/'))).toBe(true);
    expect(loaded.some((path) => path.includes('node_modules/fastify/'))).toBe(true);
  });
});
