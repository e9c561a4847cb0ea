// `npm run sbom [-- package|<names of apps>] [--to=<folder>]`: bills of materials in CycloneDX's JSON. Each is npm's of the lock file,
// of which those packages are left that the package installs, or that the image has (`infra/docker/collect-runtime.mjs`).
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { shippedWebPackages } from './web-packages.mjs';
import { packagesIn, root, say, systemPath, toolEnv } from './workspace.mjs';

const APPS = ['all-in-one', 'edge', 'management', 'auth', 'console', 'dispatcher', 'worker', 'simulator'];
const PACKAGE = 'package';
/** Whatever the caller's environment leaves out. */
const EVERYTHING = ['dev', 'optional', 'peer'].map((kind) => `--include=${kind}`);
const SBOM = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', ...EVERYTHING];
/** Those that have the console's browser code, which is built of packages that they don't install. */
const WITH_BROWSER_CODE = [PACKAGE, 'all-in-one', 'console'];

const { values, positionals } = parseArgs({
  options: { to: { type: 'string', default: 'artifacts/sbom' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => name !== PACKAGE && !APPS.includes(name));
if (unknown.length > 0) {
  say(`There is no ${unknown.join(', ')}. There are ${[PACKAGE, ...APPS].join(', ')}.`);
  process.exit(2);
}
const wanted = positionals.length > 0 ? positionals : [PACKAGE, ...APPS];

const locked = packagesIn('package-lock.json');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const whole = JSON.parse(
  execFileSync('npm', SBOM, {
    cwd: root,
    env: { ...toolEnv, PATH: systemPath },
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  }),
);

if (wanted.some((name) => name !== PACKAGE)) await build();
const folder = resolve(root, values.to);
mkdirSync(folder, { recursive: true });
for (const name of wanted) {
  const bill = billOf(name);
  const file = join(folder, `${name}.cdx.json`);
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
  say(`${file}: ${bill.components.length} components`);
}

function billOf(name) {
  const paths = [...pathsOf(name), ...(WITH_BROWSER_CODE.includes(name) ? shippedWebPackages(locked) : [])];
  const refs = new Set(paths.map(refOf));
  const own = whole.metadata.component;
  const missing = [...refs].filter(
    (ref) => !whole.components.some((component) => component['bom-ref'] === ref),
  );
  if (missing.length > 0) throw new Error(`npm's bill of materials lacks ${missing.join(', ')}.`);
  return {
    ...whole,
    serialNumber: `urn:uuid:${crypto.randomUUID()}`,
    metadata: {
      ...whole.metadata,
      component: { ...own, name: name === PACKAGE ? manifest.name : `svc-${name}` },
    },
    components: [
      ...whole.components.filter((component) => refs.has(component['bom-ref'])),
      ...(name === PACKAGE ? [] : [nodeJs()]),
    ],
    dependencies: whole.dependencies
      .filter(({ ref }) => ref === own['bom-ref'] || refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((next) => refs.has(next)) })),
  };
}

/** The paths in the lock file of what comes with the package, or is in an image. */
function pathsOf(name) {
  if (name === PACKAGE)
    return [...locked].filter(([, { dev, devOptional }]) => !dev && !devOptional).map(([path]) => path);
  const program = join(root, 'infra/docker/collect-runtime.mjs');
  return execFileSync(process.execPath, [program, name, '--packages'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter(Boolean);
}

function refOf(path) {
  const { name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), version } =
    locked.get(path);
  return `${name}@${version}`;
}

/** The runtime of the image, beside what its Debian has: the supplier of `NODE_IMAGE` has the bill of that. */
function nodeJs() {
  const [, version] = /^ARG NODE_IMAGE=node:([\d.]+)/m.exec(
    readFileSync(join(root, 'infra/docker/Dockerfile'), 'utf8'),
  );
  return {
    'bom-ref': `node@${version}`,
    type: 'platform',
    name: 'node',
    version,
    purl: `pkg:generic/node@${version}`,
  };
}
