import { isRecord, type JsonRecord } from '../json/byte-text';

/** Lists of a body whose entries are messages, parts of messages, or tools. */
const LISTS = ['messages', 'input', 'system', 'tools'] as const;
/** Members of an entry that have parts in turn. The inputs and schemas of tools are the caller's own data: nobody looks into them. */
const INNER = ['content', 'output'] as const;

/** True where any message, part or tool of a body passes the test. */
export function somePart(body: JsonRecord, test: (part: JsonRecord) => boolean): boolean {
  return LISTS.some((list) => someOf(body[list], test));
}

function someOf(value: unknown, test: (part: JsonRecord) => boolean): boolean {
  if (!Array.isArray(value)) return false;
  return value.some(
    (part) =>
      isRecord(part) &&
      (test(part) ||
        INNER.some((member) => someOf(part[member], test)) ||
        (isRecord(part['source']) && someOf(part['source']['content'], test))),
  );
}

/** True where the path that {@link changedParts} gives is a tool's. */
export const isPathOfTool = (path: string): boolean => /^tools\[\d+\]$/.test(path);

/** The part in its place: itself, a changed one, or null to leave it out. */
type PartChange = (part: JsonRecord, path: string) => JsonRecord | null;

/** The members of a body that a change of its messages, parts and tools alters. Empty when it alters none. */
export function changedParts(body: JsonRecord, change: PartChange): JsonRecord {
  const altered: [string, unknown][] = [];
  for (const list of LISTS) {
    const value = changedList(body[list], list, change);
    if (value !== body[list]) altered.push([list, value]);
  }
  return Object.fromEntries(altered);
}

/** The same list when nothing in it changes. */
function changedList(value: unknown, path: string, change: PartChange): unknown {
  if (!Array.isArray(value)) return value;
  const parts = value.map((part: unknown, index) =>
    isRecord(part) ? changedPart(part, `${path}[${String(index)}]`, change) : part,
  );
  const isSame = parts.every((part, index) => part === value[index]);
  return isSame ? value : parts.filter((part, index) => part !== null || value[index] === null);
}

function changedPart(part: JsonRecord, path: string, change: PartChange): JsonRecord | null {
  let changed: JsonRecord | null = change(part, path);
  if (changed === null) return null;
  for (const member of INNER) {
    const before: unknown = changed[member];
    const after: unknown = changedList(before, `${path}.${member}`, change);
    // An entry of which nothing is left goes too: providers refuse an empty one.
    if (after !== before && Array.isArray(after) && after.length === 0) return null;
    if (after !== before) changed = { ...changed, [member]: after };
  }
  const { source } = changed;
  if (!isRecord(source)) return changed;
  const content = changedList(source['content'], `${path}.source.content`, change);
  return content === source['content'] ? changed : { ...changed, source: { ...source, content } };
}
