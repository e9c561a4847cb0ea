import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { encodings, type Encoding } from './accepted-encoding';

/** A file of the build, with its compressed forms. */
export interface BuiltFile {
  readonly type: string;
  /** Of the uncompressed contents, without quotes. */
  readonly hash: string;
  readonly cacheControl: string;
  readonly identity: Buffer;
  readonly compressed: ReadonlyMap<Encoding, Buffer>;
}

/** The files by their paths below `/console/`. All are in memory, so that no path can lead to another file. */
export type BuiltFiles = ReadonlyMap<string, BuiltFile>;

export const START_PAGE = 'index.html';
/** The start page of the address at which an application opens, where it has one of its own. */
export const FIRST_START_PAGE = 'overview.html';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
const COMPRESSED: readonly string[] = Object.values(encodings);
/** The build puts a hash of the contents into the names of these files. */
const HASHED = 'assets/';

/** @throws Error where the folder holds no start page. */
export function readBuiltFiles(folder: string): BuiltFiles {
  if (!existsSync(join(folder, START_PAGE))) {
    throw new Error(`The console is not built: ${folder} has no ${START_PAGE}. Run \`npm run build\`.`);
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !COMPRESSED.includes(extname(entry.name)))
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    files.map((file) => {
      const path = relative(folder, file).replaceAll(sep, '/');
      return [path, readBuiltFile(file, path)];
    }),
  );
}

function readBuiltFile(file: string, path: string): BuiltFile {
  const identity = readFileSync(file);
  const compressed = Object.entries(encodings)
    .filter(([, suffix]) => existsSync(file + suffix))
    .map(([name, suffix]) => [name as Encoding, readFileSync(file + suffix)] as const);
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    hash: createHash('sha256').update(identity).digest('base64url'),
    cacheControl: path.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
    identity,
    compressed: new Map(compressed),
  };
}
