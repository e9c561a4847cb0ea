import { isRecord, type JsonRecord } from '../json/byte-text';

/** Readers of unvalidated JSON from callers and providers: a value of another type becomes an empty one. */

export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const recordIn = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Calls `take` for each item that is an object, with its path, and `other` for every other item. */
export function forEachRecord(
  list: unknown,
  path: string,
  take: (record: JsonRecord, path: string) => void,
  other: (path: string) => void,
): void {
  for (const [index, item] of listIn(list).entries()) {
    const itemPath = `${path}[${String(index)}]`;
    if (isRecord(item)) take(item, itemPath);
    else other(itemPath);
  }
}
