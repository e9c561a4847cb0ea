import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface Script {
  readonly entry: string;
  readonly isLean?: boolean;
}
interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const ROOT = join(__dirname, '../..');
const LAUNCHER = 'infra/local/run.mjs';
const NOT_FOR_PEOPLE = ['prepack'];
const { scripts: commands, dependencies } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
) as Manifest;
const names = Object.keys(commands).filter((name) => !NOT_FOR_PEOPLE.includes(name));

/** Packages that a module and its imports load before its first line runs. */
function packagesOf(file: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^;]*?from '([^']+)'/gm);
  return Array.from(imports, ([, name = '']) => name).flatMap((name) => {
    if (name.startsWith('.')) return packagesOf(join(dirname(file), name), seen);
    return name.startsWith('node:') || builtinModules.includes(name) ? [] : [name];
  });
}

describe('the scripts of package.json', () => {
  let scripts: Readonly<Record<string, Script>>;
  /** A clone in which nothing is installed. */
  let clone: string;
  beforeAll(async () => {
    ({ scripts } = (await import('./scripts.mjs' as string)) as { scripts: Record<string, Script> });
    clone = mkdtempSync(join(tmpdir(), 'svc-scripts-'));
    cpSync(__dirname, join(clone, 'infra/local'), { recursive: true });
  });
  afterAll(() => {
    rmSync(clone, { recursive: true });
  });
  const run = (...args: string[]) =>
    new Promise<{ code: unknown; output: string }>((resolve) => {
      const program = [join(clone, LAUNCHER), ...args];
      execFile(process.execPath, program, (error, stdout, stderr) => {
        resolve({ code: error?.code ?? 0, output: stdout + stderr });
      });
    });

  it('go through the launcher, which knows each of them', () => {
    expect(commands).toMatchObject(
      Object.fromEntries(names.map((name) => [name, `exec node ${LAUNCHER} ${name}`])),
    );
    expect(Object.keys(scripts)).toEqual(names);
    for (const { entry } of Object.values(scripts)) expect(existsSync(join(ROOT, entry))).toBe(true);
  });

  it.each(names)('%s: --help says how it is used, in a clone in which nothing is installed', async (name) => {
    const { code, output } = await run(name, '--help');
    expect(output).toMatch(new RegExp(`^npm run ${name}\\b`));
    expect(code).toBe(0);
    expect(existsSync(join(clone, 'node_modules'))).toBe(false);
  });

  it('that run the service import nothing that only development has', () => {
    for (const { entry } of Object.values(scripts).filter(({ isLean }) => isLean)) {
      const foreign = packagesOf(join(ROOT, entry)).filter((name) => !(name in dependencies));
      expect({ entry, foreign }).toEqual({ entry, foreign: [] });
    }
  });

  it('are listed for a name that is none of them', async () => {
    const { code, output } = await run('tset');
    expect(code).toBe(2);
    expect(output).toContain(names.join(', '));
  });
});
