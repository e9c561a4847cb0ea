import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const ROOT = join(__dirname, '../..');
/** Entries that no clone has. */
const OWN = new Set(['.git', '.nx', '.svc', '.env', 'artifacts', 'dist', 'generated', 'node_modules']);
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};
const names = Object.keys(scripts).filter((name) => name !== 'prepack');

/** The shortest form of what ends by itself, and how it ends. The first ones need only what a service runs on. */
const SHORTEST: readonly (readonly [script: string, args: readonly string[], code: number])[] = [
  ['migrate', [], 1],
  ['build', [], 0],
  ['reset-password', ['nobody'], 1],
  ['format', ['package.json'], 0],
  ['spec', ['libs/kernel/src/money.spec.ts'], 0],
  ['test:faults', ['--listTests'], 0],
  ['test:outages', ['--listTests'], 0],
  ['test:heavy', ['--listTests'], 0],
  ['test:separate', ['--listTests'], 0],
  ['test:upgrade', ['--listTests'], 0],
  ['test:console', ['--listTests'], 0],
  ['test:console-scale', ['--rows=none'], 2],
  ['test:nightly', ['none'], 2],
  ['screenshots', ['none'], 2],
  ['bench', ['--scenario', 'none'], 2],
  ['bench:scale', ['none'], 2],
  ['typecheck', [], 0],
];

/** Code that no clone has, and specs that read it. */
const GENERATED = ['apps/console/web/api/generated', 'libs/database/src/generated'];
const READING: readonly (readonly [script: string, path: string])[] = [
  ['spec', 'apps/edge/src/pipeline/authenticate.spec.ts'],
  ['spec', 'apps/console/states/size.page.spec.ts'],
  ['test:console', 'apps/console/states/size.page.spec.ts'],
];

/** Of a person who has set nothing. */
const environment = (): NodeJS.ProcessEnv => {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(SVC|NX|npm|JEST)_|^NODE_/.test(name));
  const path = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  return {
    ...Object.fromEntries(inherited),
    PATH: path.join(':'),
    // Where nobody listens.
    SVC_DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none',
  };
};

describe('in a clone in which nothing is installed', () => {
  let clone: string;
  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), 'svc-clone-'));
    cpSync(ROOT, clone, { recursive: true, filter: (from) => !OWN.has(basename(from)) });
  });
  afterAll(() => {
    rmSync(clone, { recursive: true, force: true });
  });
  const npm = (...args: string[]) =>
    new Promise<{ code: unknown; output: string }>((resolve) => {
      const options = { cwd: clone, env: environment(), maxBuffer: 2 ** 26 };
      execFile('npm', args, options, (error, stdout, stderr) => {
        resolve({ code: error?.code ?? 0, output: stdout + stderr });
      });
    });

  it('each script says how it is used', async () => {
    for (const name of names) {
      const { code, output } = await npm('run', name, '--', '--help');
      expect({ name, code, output }).toEqual({
        name,
        code: 0,
        output: expect.stringContaining(`npm run ${name}`),
      });
    }
    expect(existsSync(join(clone, 'node_modules'))).toBe(false);
  });

  it.each(SHORTEST)('npm run %s %j brings what it imports', async (name, args, expected) => {
    const { code, output } = await npm('run', name, '--', ...args);
    expect(output).not.toMatch(/Cannot find (module|package)|command not found/);
    expect({ code, output }).toEqual({ code: expected, output: expect.any(String) });
  });

  it.each(READING)('npm run %s %s brings the generated code', async (name, path) => {
    for (const folder of GENERATED) rmSync(join(clone, folder), { recursive: true, force: true });
    const { code, output } = await npm('run', name, '--', path);
    expect({ code, output }).toEqual({ code: 0, output: expect.any(String) });
  });
});
