import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** The files of the repository by their paths from its root. Files that are no text for people have an empty text. */
export type Repository = ReadonlyMap<string, string>;

const NOT_OURS = new Set([
  '.git',
  '.nx',
  '.svc',
  'artifacts',
  'coverage',
  'dist',
  'generated',
  'node_modules',
  'package-lock.json',
]);
const TEXTS = new Set([
  '.json',
  '.md',
  '.mjs',
  '.prisma',
  '.sql',
  '.toml',
  '.ts',
  '.tsx',
  '.yaml',
  '.yml',
  '',
]);

export function readRepository(root: string, folder = ''): Repository {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).filter(
    ({ name }) => !NOT_OURS.has(name),
  );
  return new Map(
    entries.flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return [...readRepository(root, path)];
      if (!entry.isFile()) return [];
      const text = TEXTS.has(extname(entry.name)) ? readFileSync(join(root, path), 'utf8') : '';
      return [[path, text] as const];
    }),
  );
}
