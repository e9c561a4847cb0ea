import { encodeUtf8 } from './byte-text';
import { type JsonObjectSpan } from './top-level-members';

/** What becomes of a member, by its key: the JSON text of its new value, appended where it is absent; null removes it. */
export type MemberEdits = ReadonlyMap<string, string | null>;

/**
 * The object's bytes with some members changed, as pieces to be written one after another. All that no edit
 * names keeps its bytes; nothing of it is copied.
 */
export function spliceMembers(bytes: Uint8Array, object: JsonObjectSpan, edits: MemberEdits): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let cursor = 0;
  const replace = (from: number, to: number, text: string): void => {
    if (from > cursor) pieces.push(bytes.subarray(cursor, from));
    if (text !== '') pieces.push(encodeUtf8(text));
    cursor = to;
  };

  const absent = new Map(edits);
  let isFirst = true;
  let lastEnd = object.open + 1;
  for (const [index, member] of object.members.entries()) {
    const value = edits.get(member.key);
    absent.delete(member.key);
    if (value !== null) {
      if (value !== undefined) replace(member.valueStart, member.valueEnd, value);
      isFirst = false;
    } else if (isFirst) {
      replace(member.keyStart, object.members[index + 1]?.keyStart ?? member.valueEnd, '');
    } else {
      replace(lastEnd, member.valueEnd, '');
    }
    lastEnd = member.valueEnd;
  }

  const added = Array.from(absent).flatMap(([key, value]) =>
    value === null ? [] : [`${JSON.stringify(key)}:${value}`],
  );
  if (added.length > 0) replace(lastEnd, lastEnd, (isFirst ? '' : ',') + added.join(','));
  replace(bytes.length, bytes.length, '');
  return pieces;
}
