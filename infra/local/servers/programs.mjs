import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { quietly } from '../steps.mjs';
import { say, toolEnv } from '../workspace.mjs';

export const isOnPath = (program) =>
  process.env.PATH.split(delimiter).some((folder) => existsSync(join(folder, program)));

/**
 * Installs Debian packages where this runs as root, as in a container; otherwise prints what to install, and ends.
 * @param missing names of packages.
 */
export async function installPackages(missing) {
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) {
    say(`Something is missing. On Debian: apt-get install ${missing.join(' ')}`);
    process.exit(1);
  }
  const env = { ...toolEnv, DEBIAN_FRONTEND: 'noninteractive' };
  await quietly('updating the list of packages', 'apt-get', ['update', '-qq'], { env });
  const args = ['install', '-y', '-qq', '--no-install-recommends', ...missing];
  await quietly(`installing ${missing.join(', ')}`, 'apt-get', args, { env });
}
