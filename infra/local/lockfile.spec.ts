import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}
const { packages } = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const { '': _workspace, ...locked } = packages;
const manifest = JSON.parse(read('package.json')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

const REGISTRY = 'https://registry.npmjs.org/';
/**
 * The most packages that a start may install. The whole workspace once took 1,143
 * (docs/decisions/0020-what-a-start-installs.md).
 */
const RUNTIME_PACKAGES_MAX = 380;

describe('package-lock.json', () => {
  it('names the public registry and no other host', () => {
    const resolved = Object.values(locked).flatMap(({ resolved = [] }) => resolved);
    expect(resolved.filter((address) => !address.startsWith(REGISTRY))).toEqual([]);
    expect(resolved.length).toBeGreaterThan(1_000);
    expect(read('.npmrc')).not.toMatch(/registry\s*=/);
  });

  it('says where each package is, so that npm reads no document about it', () => {
    const unknown = Object.entries(locked).filter(
      ([, { resolved, integrity }]) => (resolved === undefined) !== (integrity === undefined),
    );
    expect(unknown).toEqual([]);
    expect(read('.npmrc')).toMatch(/^replace-registry-host=always$/m);
    expect(read('.npmrc')).toMatch(/^omit-lockfile-registry-resolved=false$/m);
  });

  it('makes a start wait for few packages', async () => {
    const path = './web-packages.mjs';
    const { webPackages } = (await import(path)) as {
      webPackages(packages: ReadonlyMap<string, LockedPackage>): { readonly paths: ReadonlySet<string> };
    };
    const { paths } = webPackages(new Map(Object.entries(locked)));
    const runtime = Object.entries(locked).filter(
      ([name, { dev, devOptional }]) => (!dev && !devOptional) || paths.has(name),
    );
    const required = runtime.filter(([, entry]) => !('optional' in entry));
    expect(required.length).toBeLessThan(RUNTIME_PACKAGES_MAX);
  });

  it('has every package that the browser code imports among those of a start', () => {
    const named = JSON.parse(read('infra/local/web-packages.json')) as string[];
    const imported = browserSources().flatMap((file) => importsOf(file).map((name) => [name, file]));
    expect(imported.length).toBeGreaterThan(0);
    const isInstalled = (name: string) => named.includes(name) || name in manifest.dependencies;
    expect(imported.filter(([name]) => !isInstalled(name!))).toEqual([]);
  });

  it('has every package that a service imports among those of a start', () => {
    const imported = new Map(sources().flatMap((file) => importsOf(file).map((name) => [name, file])));
    const missing = [...imported].filter(([name]) => !(name in manifest.dependencies));
    expect(imported.size).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });
});

/** The sources of the services, without specs and what only specs use. */
function sources(): string[] {
  return ['apps', 'libs']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter(
      (file) =>
        /\/src\/.*\.ts$/.test(file) &&
        !/\.(spec|contract)\.ts$|^apps\/e2e\/|\/testing\/|\/generated\//.test(file),
    );
}

/** Files that the bundler reads, and the program that runs it. */
function browserSources(): string[] {
  const app = 'apps/console';
  const web = readdirSync(join(root, app, 'web'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.spec\.tsx?$|(^|\/)generated\//.test(file))
    .map((file) => join(app, 'web', file));
  return [join(app, 'build-web.mjs'), ...web];
}

/** The names of the packages that a file loads, not those of which it uses types only. */
const importsOf = (file: string): string[] =>
  Array.from(
    read(file).matchAll(
      /^(?:import|export)\s(?!type |\{ ?(?:\s*type \w+,?)+\s*\} from)[^;]*?from '([^'.][^']*)'|\bimport\('([^'.][^']*)'\)/gm,
    ),
    ([, from, loaded]) => (from ?? loaded)!,
  )
    .filter((specifier) => !/^(node:|@svc\/)/.test(specifier))
    .map((specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'));
