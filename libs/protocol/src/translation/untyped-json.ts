import { isRecord, type JsonRecord } from '../json/byte-text';

/** What callers and providers write is judged by nobody before it comes here: these read it without trusting it. */

export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const recordIn = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Each item that is an object, with its path; what is none is passed to `other`. */
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
