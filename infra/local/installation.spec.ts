import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const WEB = JSON.parse(readFileSync(join(__dirname, 'web-packages.json'), 'utf8')) as string[];
const WEB_ENTRIES = Object.fromEntries(
  WEB.map((name) => [
    `node_modules/${name}`,
    { version: '1.0.0', dev: true, dependencies: { bundles: '^1.0.0' } },
  ]),
);
const PACKAGES = {
  'node_modules/runs': { version: '1.0.0' },
  ...WEB_ENTRIES,
  'node_modules/bundles': { version: '1.0.0', dev: true, peerDependencies: { 'not-there': '*' } },
  'node_modules/tests': { version: '1.0.0', dev: true },
  'node_modules/elsewhere': { version: '1.0.0', optional: true },
};
const RUNTIME = ['node_modules/runs', ...Object.keys(WEB_ENTRIES), 'node_modules/bundles'];
const FOR_START = `--omit=dev --include=optional --save-prod ${WEB.map((name) => `${name}@1.0.0`).join(' ')}`;
const EVERYTHING = [...RUNTIME, 'node_modules/tests'];

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'svc-clone-'));
  cpSync(__dirname, join(clone, 'infra/local'), { recursive: true });
  writeFileSync(join(clone, 'package-lock.json'), JSON.stringify({ packages: PACKAGES }));
});
afterEach(() => {
  rmSync(clone, { recursive: true });
});

/** A stub of npm: it notes its arguments and its process. */
const npmIs = (...then: readonly string[]) => {
  const program = join(clone, 'bin/npm');
  mkdirSync(join(clone, 'bin'), { recursive: true });
  const noted = [`echo "$@" > '${clone}/asked'`, `echo $$ > '${clone}/pid'`];
  writeFileSync(program, ['#!/bin/sh', ...noted, ...then].join('\n'));
  chmodSync(program, 0o755);
};
const installed = (paths: readonly string[], version = '1.0.0') => {
  mkdirSync(join(clone, 'node_modules'), { recursive: true });
  const packages = Object.fromEntries(paths.map((path) => [path, { version }]));
  writeFileSync(join(clone, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
};
const noted = (name: string) => {
  const file = join(clone, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
};

const start = (options: string): ChildProcess =>
  spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { install } from '${clone}/infra/local/installation.mjs'; await install(${options})`,
    ],
    {
      env: { ...process.env, PATH: [join(clone, 'bin'), process.env['PATH']].join(delimiter) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
async function install(options = ''): Promise<{ code: number; output: string; asked: string | null }> {
  const child = start(options);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output, asked: noted('asked') };
}
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const FOR_RUNNING = '{ isForDevelopment: false }';

describe('the installation', () => {
  it('for a start leaves out what only development needs, but not what builds the browser code', async () => {
    npmIs();
    expect((await install(FOR_RUNNING)).asked).toBe(`install --no-save ${FOR_START}`);
  });

  it('for tests brings everything', async () => {
    npmIs();
    expect((await install()).asked).toBe('ci --include=dev --include=optional');
  });

  it('is silent and asks npm for nothing when all that is wanted is there', async () => {
    npmIs();
    installed(RUNTIME);
    expect(await install(FOR_RUNNING)).toEqual({ code: 0, output: '', asked: null });
    installed(EVERYTHING);
    expect(await install()).toEqual({ code: 0, output: '', asked: null });
    expect((await install(FOR_RUNNING)).asked).toBeNull();
  });

  it('adds what tests need to what a start has installed, and takes nothing away', async () => {
    npmIs();
    installed(RUNTIME);
    expect((await install()).asked).toBe('install --no-save --include=dev --include=optional');
  });

  it('for a start adds what the browser code has come to need', async () => {
    npmIs();
    installed(RUNTIME.filter((path) => path !== 'node_modules/bundles'));
    expect((await install(FOR_RUNNING)).asked).toBe(`install --no-save ${FOR_START}`);
  });

  it('begins anew where adding was broken off', async () => {
    npmIs('exit 1');
    installed(RUNTIME);
    expect((await install()).asked).toMatch(/^install /);
    npmIs();
    expect((await install()).asked).toMatch(/^ci /);
  });

  it('begins anew where a version is another one', async () => {
    npmIs();
    installed(EVERYTHING, '0.9.0');
    writeFileSync(join(clone, 'node_modules/old'), '');
    expect((await install(FOR_RUNNING)).asked).toMatch(/^install /);
    expect(existsSync(join(clone, 'node_modules/old'))).toBe(false);
    installed(EVERYTHING, '0.9.0');
    expect((await install()).asked).toMatch(/^ci /);
  });

  it('says in a pipe when it begins and when it is done, and nothing in between', async () => {
    npmIs('echo chatter', 'sleep 1.5');
    expect((await install()).output).toMatch(
      /^installing packages …\ninstalling packages: done in \d+\.\d s\n$/,
    );
  });

  it('that fails shows what npm said, and ends with its code', async () => {
    npmIs('echo "no space left" >&2', 'exit 28');
    const { code, output } = await install();
    expect(code).toBe(28);
    expect(output).toMatch(/no space left[^]*installing packages: failed \(npm ci .*\)/);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'that gets %s ends npm and all that npm started, and itself only then',
    async (signal) => {
      npmIs(
        'sleep 60 &',
        `echo $! > '${clone}/script'`,
        "trap 'sleep 0.3; exit 1' INT TERM",
        'wait',
        'sleep 60',
      );
      const child = start('');
      while (!noted('script')) await pause(20);
      child.kill(signal);
      const [code] = (await once(child, 'exit')) as [number];
      expect(code).toBe(signal === 'SIGINT' ? 130 : 143);
      // A shell starts its background jobs with SIGINT ignored.
      expect(isAlive(Number(noted('pid')))).toBe(false);
      if (signal === 'SIGTERM') expect(isAlive(Number(noted('script')))).toBe(false);
    },
  );
});
