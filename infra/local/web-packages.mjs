import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Packages that the build of the console's browser code needs. These are development dependencies, so that neither the package nor
 * an image has them; a start installs them too, because it builds.
 */
const WEB_PACKAGES = JSON.parse(readFileSync(join(import.meta.dirname, 'web-packages.json'), 'utf8'));

/**
 * Those packages, of the versions of the lock file.
 * @param packages the entries of the lock file by path.
 * @returns what to ask npm for, and the paths of all that comes with it.
 */
export function webPackages(packages) {
  const specifiers = WEB_PACKAGES.map((name) => `${name}@${packages.get(`node_modules/${name}`).version}`);
  return { specifiers, paths: closureOf(WEB_PACKAGES, packages) };
}

/** Packages that build the browser code, and are not in it. */
const BUILDERS = ['vite', '@vitejs/plugin-react'];

/** The paths of what the browser code has in it. */
export const shippedWebPackages = (packages) =>
  closureOf(
    WEB_PACKAGES.filter((name) => !BUILDERS.includes(name)),
    packages,
  );

function closureOf(names, packages) {
  const closure = new Set();
  const visit = (name, from) => {
    const path = pathOf(name, from, packages);
    if (path === null || closure.has(path)) return;
    closure.add(path);
    const {
      dependencies,
      optionalDependencies,
      peerDependencies = {},
      peerDependenciesMeta,
    } = packages.get(path);
    const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta?.[peer]?.optional);
    for (const next of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
      visit(next, path);
  };
  for (const name of names) visit(name, '');
  return closure;
}

/** Where Node.js finds a package that is asked for from the folder of another. Null: an optional one that is left out. */
function pathOf(name, from, packages) {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (packages.has(path)) return path;
  if (from === '') return null;
  const parent = from.lastIndexOf('/node_modules/');
  return pathOf(name, parent === -1 ? '' : from.slice(0, parent), packages);
}
