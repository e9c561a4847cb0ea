import { existsSync } from 'node:fs';
import { installPackages, isOnPath } from './programs.mjs';

/** Where Debian puts it, which is on the PATH of root alone. */
const DEBIAN = '/usr/sbin/nginx';

/** Installs nginx where it is missing. @returns its program. */
export async function installNginx() {
  if (!existsSync(DEBIAN)) await installPackages(isOnPath('nginx') ? [] : ['nginx']);
  return existsSync(DEBIAN) ? DEBIAN : 'nginx';
}
