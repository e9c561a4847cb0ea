import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { orEnd, toolStep } from '../steps.mjs';
import { toolEnv } from '../workspace.mjs';

export const isOnPath = (program) =>
  process.env.PATH.split(delimiter).some((folder) => existsSync(join(folder, program)));

/** As in a container: only there packages of the system are installed. */
export const isRootOfDebian = () => process.getuid?.() === 0 && isOnPath('apt-get');

/**
 * Installs Debian packages.
 * @param missing names of packages.
 * @throws Error that says what to install, or why that failed.
 */
export async function addPackages(missing) {
  if (missing.length === 0) return;
  if (!isRootOfDebian())
    throw new Error(`Something is missing. On Debian: apt-get install ${missing.join(' ')}`);
  const env = { ...toolEnv, DEBIAN_FRONTEND: 'noninteractive' };
  await toolStep('updating the list of packages', 'apt-get', ['update', '-qq'], { env });
  const args = ['install', '-y', '-qq', '--no-install-recommends', ...missing];
  await toolStep(`installing ${missing.join(', ')}`, 'apt-get', args, { env });
}

/** The same, for whoever cannot go on without them. */
export const installPackages = (missing) => orEnd(addPackages(missing));
