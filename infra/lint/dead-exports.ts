import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the repository, by its path. */
interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

/** Everything that may import something: sources, specs and scripts, without generated files. */
export function sourceFiles(root: string): readonly SourceFile[] {
  return ['apps', 'libs', 'infra'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|mjs|js)$/.test(path) && !/(^|\/)(generated|node_modules)\//.test(path))
      .map((path) => ({
        path: `${folder}/${path}`,
        text: readFileSync(join(root, folder, path), 'utf8'),
      })),
  );
}

/** Exports that no other file names, as `path: name`. A re-export by an index is no use. */
export function deadExports(files: readonly SourceFile[]): readonly string[] {
  const users = new Map<string, number>();
  for (const { path, text } of files) {
    if (path.endsWith('/index.ts')) continue;
    for (const word of new Set(text.match(/\w+/g))) users.set(word, (users.get(word) ?? 0) + 1);
  }
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(DECLARED)].flatMap(([, name = '']) =>
      (users.get(name) ?? 0) > 1 ? [] : [`${path}: ${name}`],
    ),
  );
}
