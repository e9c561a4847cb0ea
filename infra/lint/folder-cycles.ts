import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** An import of one file by another, by their paths below the folder that is read. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/** Folders, or files, that import each other, directly or indirectly. */
interface Cycle {
  readonly nodes: readonly string[];
  readonly imports: readonly string[];
}

const IMPORTED = /(?:from |import\(|import )'(\.{1,2}\/[^']*|\.{1,2})'/g;

/** The imports of all files except specs, their contracts and generated ones; type imports count too. */
export function importsOf(source: string): readonly Import[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.tsx?$/.test(file) && !/\.(spec|contract)\.tsx?$/.test(file) && !/(^|\/)generated\//.test(file),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    return [...text.matchAll(IMPORTED)].flatMap(([, path = '']) => {
      const target = join(source, dirname(file), path);
      const found = [`${target}.ts`, `${target}.tsx`, join(target, 'index.ts')].find((each) =>
        existsSync(each),
      );
      return found === undefined ? [] : [{ from: file, to: relative(source, found) }];
    });
  });
}

/** Folders that import each other. A file beside folders (a module, a main, an index, a clock) is a node of its own. */
export function folderCyclesIn(imports: readonly Import[]): readonly Cycle[] {
  const folders = new Set(imports.flatMap(({ from, to }) => [dirname(from), dirname(to)]));
  const hasFolders = (folder: string) =>
    [...folders].some((other) => other !== folder && (folder === '.' || other.startsWith(`${folder}/`)));
  return cyclesIn(imports, (file) => (hasFolders(dirname(file)) ? file : dirname(file)));
}

/** Files that import each other, within a folder too. */
export const fileCyclesIn = (imports: readonly Import[]): readonly Cycle[] =>
  cyclesIn(imports, (file) => file);

function cyclesIn(imports: readonly Import[], nodeOf: (file: string) => string): readonly Cycle[] {
  const between = imports
    .map((each) => ({ ...each, fromNode: nodeOf(each.from), toNode: nodeOf(each.to) }))
    .filter(({ fromNode, toNode }) => fromNode !== toNode);
  const targets = new Map<string, Set<string>>();
  for (const { fromNode, toNode } of between) {
    targets.set(fromNode, (targets.get(fromNode) ?? new Set()).add(toNode));
  }
  const cycles = new Map<string, Cycle>();
  for (const node of targets.keys()) {
    const cycle = [...reachableFrom(node, targets)]
      .filter((other) => reachableFrom(other, targets).has(node))
      .sort();
    if (cycle.length < 2) continue;
    const within = between.filter(
      ({ fromNode, toNode }) => cycle.includes(fromNode) && cycle.includes(toNode),
    );
    cycles.set(cycle.join(), {
      nodes: cycle,
      imports: within.map(({ from, to }) => `${from} imports ${to}`),
    });
  }
  return [...cycles.values()];
}

function reachableFrom(node: string, targets: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...(targets.get(node) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...(targets.get(next) ?? []));
  }
  return reached;
}
