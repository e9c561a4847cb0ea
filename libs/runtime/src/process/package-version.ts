import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

let known: string | undefined;

/** The version of this build: that of the `package.json` above it, in the sources, in the package and in an image. */
export function packageVersion(): string {
  known ??= versionAbove(__dirname);
  return known;
}

function versionAbove(folder: string): string {
  const file = join(folder, 'package.json');
  if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  const above = dirname(folder);
  return above === folder ? 'unknown' : versionAbove(above);
}
