import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from './steps.mjs';
import { webPackages } from './web-packages.mjs';
import { packagesIn, requireServiceNode, root, systemPath } from './workspace.mjs';

/** Exists while packages are added: where that was interrupted, a package may be incomplete. */
const ADDING = join(root, 'node_modules/.adding');

/**
 * Installs what package-lock.json lists. When nothing is missing, it prints nothing and does not use the network.
 * @param isForDevelopment false: only what building and running the services needs, the console's browser code included.
 */
export async function install({ isForDevelopment = true } = {}) {
  requireServiceNode();
  const locked = packagesIn('package-lock.json');
  const web = webPackages(locked);
  const isWanted = ([path, { dev, devOptional }]) =>
    isForDevelopment || !(dev || devOptional) || web.paths.has(path);
  const wanted = [...locked].filter(isWanted);
  // npm writes this file when an installation is complete, and only then.
  const installed = packagesIn('node_modules/.package-lock.json');
  const isOther = ([path, { version }]) => installed.has(path) && installed.get(path).version !== version;
  const isMissing = ([path, { optional }]) => !installed.has(path) && !optional;
  if (!wanted.some((entry) => isOther(entry) || isMissing(entry))) return;

  const required = wanted.filter(([, { optional }]) => !optional).map(([path]) => path);
  const arrived = () => required.filter((path) => existsSync(join(root, path, 'package.json'))).length;
  // `npm install` keeps the packages that are right: a running service may use them.
  const isAddition = installed.size > 0 && !wanted.some(isOther) && !existsSync(ADDING);
  if (isAddition) writeFileSync(ADDING, '');
  else rmSync(join(root, 'node_modules'), { recursive: true, force: true });
  const kinds = isForDevelopment
    ? ['--include=dev', '--include=optional']
    : // npm leaves out the development dependencies, but for those that it is asked for as if they were others.
      ['--omit=dev', '--include=optional', '--save-prod', ...web.specifiers];
  const command = isForDevelopment && !isAddition ? ['ci'] : ['install', '--no-save'];
  await quietly('installing packages', 'npm', [...command, ...kinds], {
    // The PATH leaves out the workspace's own Node, which may be replaced now.
    env: { ...process.env, PATH: systemPath },
    progress: () => `${arrived()} of ${required.length}`,
  });
  rmSync(ADDING, { force: true });
}
