import { type CatalogSource } from './catalog-source';
import { otherFile, type Listed } from './listed';

/** The same limit as for a model id in an error message. */
const ALIAS_LENGTH_MAX = 200;

interface AliasesOfFile {
  readonly source: CatalogSource;
  readonly aliases?: unknown;
}

interface Alias {
  readonly source: CatalogSource;
  readonly name: string;
  readonly target: unknown;
}

/**
 * The aliases of the files, by name (docs/reference/models-and-catalog.md#aliases). An alias names a model and nothing
 * else: a chain or a cycle is a problem, and so is a name that is taken.
 */
export function readAliases(
  sections: readonly AliasesOfFile[],
  models: ReadonlyMap<string, Listed<unknown>>,
): ReadonlyMap<string, string> {
  const written = sections.flatMap(aliasesOf);
  const names = new Set(written.map(({ name }) => name));
  const listed = new Map<string, Alias>();
  for (const alias of written) {
    for (const problem of problemsOf(alias, { models, names, listed })) {
      alias.source.report(['aliases', alias.name], problem);
    }
    if (!listed.has(alias.name)) listed.set(alias.name, alias);
  }
  return new Map([...listed].map(([name, { target }]) => [name, String(target)]));
}

function aliasesOf({ source, aliases = {} }: AliasesOfFile): Alias[] {
  if (typeof aliases !== 'object' || aliases === null || Array.isArray(aliases)) {
    source.report(['aliases'], 'must be a mapping');
    return [];
  }
  return Object.entries(aliases).map(([name, target]) => ({ source, name, target: target as unknown }));
}

interface Taken {
  readonly models: ReadonlyMap<string, Listed<unknown>>;
  /** The names of all aliases. */
  readonly names: ReadonlySet<string>;
  /** The names of the earlier aliases. */
  readonly listed: ReadonlyMap<string, Alias>;
}

function* problemsOf({ source, name, target }: Alias, { models, names, listed }: Taken): Generator<string> {
  if (!/^\S+$/.test(name) || name.length > ALIAS_LENGTH_MAX) yield 'must be a name without blanks';
  const model = models.get(name);
  if (model !== undefined) yield `is the id of a model${otherFile(model.source, source)}`;
  const before = listed.get(name);
  if (before !== undefined) yield `is listed twice${otherFile(before.source, source)}`;
  if (typeof target !== 'string') yield 'must be the id of a model';
  else if (!models.has(target))
    yield names.has(target) ? `${target} is an alias; an alias names a model` : `${target} is not listed`;
}
