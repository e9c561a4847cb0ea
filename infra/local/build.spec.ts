import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const workspace = join(__dirname, '../..');
const KERNEL = 'libs/kernel/src';
const COMPILED = 'dist/libs/kernel/src';

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'svc-build-'));
  cpSync(__dirname, join(clone, 'infra/local'), { recursive: true });
  cpSync(join(workspace, '.swcrc'), join(clone, '.swcrc'));
  write('package.json', '{}');
  write('package-lock.json', '{ "packages": {} }');
  write('prisma.config.ts', '');
  write('libs/database/prisma/schema/base.prisma', '');
  // Stands in for the generator.
  write(
    'node_modules/.bin/prisma',
    '#!/bin/sh\nmkdir -p libs/database/src/generated; echo "$@" >> generated',
  );
  chmodSync(join(clone, 'node_modules/.bin/prisma'), 0o755);
  symlinkSync(join(workspace, 'node_modules/@swc'), join(clone, 'node_modules/@swc'));
  write('libs/kernel/project.json', '{ "targets": { "build": {} } }');
  write('apps/console/web/main.tsx', '');
  write('apps/console/web/main.spec.tsx', '');
  write('libs/alerts/src/index.ts', '');
  // Stands in for the bundler.
  write(
    'apps/console/build-web.mjs',
    `import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
    if (readFileSync('apps/console/web/main.tsx', 'utf8').includes('<;')) throw new Error('main.tsx:1:1');
    mkdirSync('dist/apps/console/web', { recursive: true });
    writeFileSync('dist/apps/console/web/index.html', '');
    appendFileSync('bundled', 'x');`,
  );
  write(`${KERNEL}/one.ts`, 'export const one: number = 1;');
  write(`${KERNEL}/two.ts`, "export { one } from './one';");
  write(`${KERNEL}/one.spec.ts`, '');
});
afterEach(() => {
  rmSync(clone, { recursive: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(clone, path)), { recursive: true });
  writeFileSync(join(clone, path), text);
}
const at = (path: string): string => join(clone, path);
/** @returns how many files were compiled or removed; the browser code counts as one. */
async function build(): Promise<number> {
  const program = `import { build } from '${at('infra/local/build.mjs')}'; console.error(await build())`;
  const { stderr } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  return Number(stderr);
}

describe('the build', () => {
  it('compiles every source but specs, with a map, into what Node.js runs', async () => {
    expect(await build()).toBe(3);
    const { stdout } = await run(process.execPath, ['--print', `require('${at(COMPILED)}/two.js').one`]);
    expect(stdout.trim()).toBe('1');
    expect(existsSync(at(`${COMPILED}/one.spec.js`))).toBe(false);
    const { sources } = JSON.parse(readFileSync(at(`${COMPILED}/one.js.map`), 'utf8')) as {
      sources: string[];
    };
    expect(sources.map((source) => join(at(COMPILED), source))).toEqual([at(`${KERNEL}/one.ts`)]);
  });

  it('does nothing when nothing has changed', async () => {
    await build();
    expect(await build()).toBe(0);
    expect(readFileSync(at('generated'), 'utf8')).toBe('generate\n');
    expect(readFileSync(at('bundled'), 'utf8')).toBe('x');
  });

  it('builds the browser code again after a change of it or of the kernel, but not of a spec', async () => {
    await build();
    write('apps/console/web/main.spec.tsx', 'it()');
    write(`${KERNEL}/one.spec.ts`, 'it()');
    expect(await build()).toBe(0);
    write('apps/console/web/pages/keys.tsx', '');
    expect(await build()).toBe(1);
    write(`${KERNEL}/one.ts`, 'export const one: number = 8;');
    expect(await build()).toBe(2);
    rmSync(at('dist/apps/console/web'), { recursive: true });
    expect(await build()).toBe(1);
    expect(readFileSync(at('bundled'), 'utf8')).toBe('xxxx');
  });

  it('of browser code with a mistake shows what the bundler says, until it is mended', async () => {
    write('apps/console/web/main.tsx', 'const x = <;');
    for (const time of ['first', 'second'])
      expect([time, await build().catch(String)]).toEqual([
        time,
        expect.stringMatching(/main\.tsx:1:1[^]*building the console: failed/),
      ]);
    write('apps/console/web/main.tsx', '');
    expect(await build()).toBe(1);
  });

  it('compiles what has changed, also where a file was put back with its old time and size', async () => {
    await build();
    const { atime, mtime } = statSync(at(`${KERNEL}/one.ts`));
    write(`${KERNEL}/one.ts`, 'export const one: number = 7;');
    utimesSync(at(`${KERNEL}/one.ts`), atime, mtime);
    expect(await build()).toBe(2);
    expect(readFileSync(at(`${COMPILED}/one.js`), 'utf8')).toContain('7');
  });

  it('makes again what is missing, and removes what has no source any more', async () => {
    await build();
    rmSync(at(`${COMPILED}/two.js`));
    rmSync(at(`${KERNEL}/one.ts`));
    expect(await build()).toBe(3);
    expect(existsSync(at(`${COMPILED}/two.js`))).toBe(true);
    expect(existsSync(at(`${COMPILED}/one.js`))).toBe(false);
  });

  it('of a source with a mistake fails at its place, and again until it is mended', async () => {
    await build();
    write(`${KERNEL}/one.ts`, 'export const = 1;');
    for (const time of ['first', 'second'])
      expect([time, await build().catch(String)]).toEqual([time, expect.stringContaining('one.ts')]);
    write(`${KERNEL}/one.ts`, 'export const one = 3;');
    expect(await build()).toBe(2);
  });

  it('generates the client again after a change of the schema', async () => {
    await build();
    write('libs/database/prisma/schema/base.prisma', 'model Wallet {}');
    await build();
    expect(readFileSync(at('generated'), 'utf8')).toBe('generate\ngenerate\n');
  });

  it('leaves a client of this schema that was generated without it, which others may be reading', async () => {
    await run(process.execPath, [at('infra/local/generated.mjs')]);
    await build();
    expect(readFileSync(at('generated'), 'utf8')).toBe('generate\n');
  });
});
