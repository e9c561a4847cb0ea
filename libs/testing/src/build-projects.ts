import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the repository. */
export const ROOT = join(__dirname, '../../..');

/**
 * Builds projects as the services are built, into a folder of a spec's own.
 * @param projects their folders, relative to the repository.
 */
export function buildProjects(projects: readonly string[], folder: string): void {
  const outcome = spawnSync(process.execPath, ['infra/local/compile.mjs', ...projects, '--out-dir', folder], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (outcome.status !== 0) throw new Error(outcome.stderr);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}
