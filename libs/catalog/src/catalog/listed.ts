import { type CatalogPath, type CatalogSource } from './catalog-source';

/** An entry of a list of a catalog file. */
export interface Listed<T> {
  readonly source: CatalogSource;
  readonly path: CatalogPath;
  /** As it is in the file, so that one mistake neither hides another nor affects other entries. */
  readonly written: Readonly<Record<string, unknown>>;
  /** Undefined when it is not valid. The problem has been reported. */
  readonly entry: T | undefined;
}

/** Names the file of an entry, if the problem is reported for another file. */
export const otherFile = (of: CatalogSource, toldOf: CatalogSource): string =>
  of === toldOf ? '' : `, also in ${of.file}`;

/**
 * Reports entries that are already listed, in the same file or an earlier one.
 * @returns the first entry of each identity
 */
export function reportRepeated<T>(
  list: readonly Listed<T>[],
  identity: readonly string[],
): ReadonlyMap<string, Listed<T>> {
  const listed = new Map<string, Listed<T>>();
  for (const one of list) {
    const { source, path, written } = one;
    const parts = identity.map((field) => written[field]);
    if (!parts.every((part) => typeof part === 'string')) continue;
    const key = parts.join('|');
    const before = listed.get(key);
    if (before === undefined) listed.set(key, one);
    else source.report(path, `${key} is listed twice${otherFile(before.source, source)}`);
  }
  return listed;
}

export function reportUnlisted(
  endpoints: readonly Listed<unknown>[],
  field: 'provider' | 'model',
  listed: ReadonlyMap<string, unknown>,
): void {
  for (const { source, path, written } of endpoints) {
    const name = written[field];
    if (typeof name === 'string' && !listed.has(name))
      source.report([...path, field], `${name} is not listed`);
  }
}
