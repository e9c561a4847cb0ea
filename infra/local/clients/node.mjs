import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from '../steps.mjs';
import { root } from '../workspace.mjs';
import { cached } from './cache.mjs';

const FILES = ['package.json', 'package-lock.json'];

/**
 * Installs the clients of packages/, which are no dependencies of the project.
 * @returns the folder whose node_modules has them.
 */
export async function installNodeClients() {
  const packages = join(root, 'infra/local/clients/packages');
  return cached('node-clients', join(packages, 'package-lock.json'), async (folder) => {
    for (const file of FILES) copyFileSync(join(packages, file), join(folder, file));
    const args = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
    await quietly('installing the clients for Node.js', 'npm', args);
  });
}
