import { isRecord, type JsonRecord } from '../json/byte-text';
import { type MemberEdit } from '../json/splice';

/**
 * A body without some of its fields (`seed`) and members of fields (`cache_control.ttl`). A field of which nothing is left goes
 * too.
 */
export function withoutPaths(body: JsonRecord, paths: readonly string[]): JsonRecord {
  if (paths.length === 0) return body;
  const left = new Map(Object.entries(body));
  for (const path of paths) {
    const [field = '', member] = path.split('.');
    // A large call's body lacks its large members (see `CallParser`): such a one stays whole.
    if (member !== undefined && !left.has(field)) continue;
    const value = left.get(field);
    const rest = member === undefined || !isRecord(value) ? {} : without(value, member);
    if (Object.keys(rest).length > 0) left.set(field, rest);
    else left.delete(field);
  }
  return Object.fromEntries(left);
}

/** The same as edits of the body's bytes. */
export function omissions(body: JsonRecord, paths: readonly string[]): readonly MemberEdit[] {
  const left = withoutPaths(body, paths);
  const isWhole = new Set(paths);
  const fields = new Set(paths.map((path) => path.split('.')[0] ?? path));
  return [...fields].flatMap((field): MemberEdit[] => {
    if (Object.hasOwn(left, field)) return [[field, JSON.stringify(left[field])]];
    return isWhole.has(field) || Object.hasOwn(body, field) ? [[field, null]] : [];
  });
}

const without = (value: JsonRecord, member: string): JsonRecord =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== member));
