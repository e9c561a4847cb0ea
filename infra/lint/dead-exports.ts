import { type Repository } from './repository';

const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

/** Everything that may import something: sources, specs and scripts. */
const SOURCE = /^((apps|libs|infra)\/.*\.(tsx?|mjs)|eslint\.config\.mjs)$/;

/** Exports that no other file names, as `path: name`. A re-export by an index is no use. */
export function deadExports(repository: Repository): readonly string[] {
  const sources = [...repository].filter(([path]) => SOURCE.test(path));
  const users = new Map<string, number>();
  for (const [path, text] of sources) {
    if (path.endsWith('/index.ts')) continue;
    for (const word of new Set(text.match(/\w+/g))) users.set(word, (users.get(word) ?? 0) + 1);
  }
  return sources.flatMap(([path, text]) =>
    [...text.matchAll(DECLARED)].flatMap(([, name = '']) =>
      (users.get(name) ?? 0) > 1 ? [] : [`${path}: ${name}`],
    ),
  );
}
