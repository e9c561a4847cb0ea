import { isRecord, type JsonRecord } from '../json/byte-text';
import { listIn } from '../json/untyped';

export { listIn, recordIn, textIn } from '../json/untyped';

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
