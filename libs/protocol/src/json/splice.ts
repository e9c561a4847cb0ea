import { encodeUtf8 } from './byte-text';
import { type JsonMember, type JsonObjectSpan, objectsInside } from './top-level-members';

/** The JSON text of a member's new value. An absent member is appended. Null removes the member. */
export type MemberEdit = readonly [key: string, value: string | null];

/** A few edits of one object. Where two name the same member, the first applies. */
export type MemberEdits = readonly MemberEdit[];

/**
 * The object's bytes with some members changed, as pieces to write in order. All other bytes stay the same and are not
 * copied.
 */
export function spliceMembers(bytes: Uint8Array, object: JsonObjectSpan, edits: MemberEdits): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let cursor = 0;
  const replace = (from: number, to: number, text: string): void => {
    if (from > cursor) pieces.push(bytes.subarray(cursor, from));
    if (text !== '') pieces.push(encodeUtf8(text));
    cursor = to;
  };

  const { members } = object;
  let index = 0;
  let isFirst = true;
  let lastEnd = object.open + 1;
  for (const member of members) {
    index++;
    const value = editOf(member.key, edits)?.[1];
    if (value !== null) {
      if (value !== undefined) replace(member.valueStart, member.valueEnd, value);
      isFirst = false;
    } else if (isFirst) {
      replace(member.keyStart, members[index]?.keyStart ?? member.valueEnd, '');
    } else {
      replace(lastEnd, member.valueEnd, '');
    }
    lastEnd = member.valueEnd;
  }

  const added = absentMembers(members, edits);
  if (added !== '') replace(lastEnd, lastEnd, isFirst ? added : `,${added}`);
  replace(bytes.length, bytes.length, '');
  return pieces;
}

/**
 * The JSON text with some members changed of the objects in the list that is its top-level member `key`.
 * @param edits those of each object, in the order of the list
 */
export function spliceListed(bytes: Uint8Array, key: string, edits: readonly MemberEdits[]): Uint8Array {
  // From the last to the first, so that the positions of those before stay right.
  return objectsInside(bytes, key).reduceRight<Uint8Array>((json, object, index) => {
    const { [index]: ofObject = [] } = edits;
    return ofObject.length === 0 ? json : Buffer.concat(spliceMembers(json, object, ofObject));
  }, bytes);
}

function editOf(key: string, edits: MemberEdits): MemberEdit | undefined {
  for (const edit of edits) if (edit[0] === key) return edit;
  return undefined;
}

function absentMembers(members: readonly JsonMember[], edits: MemberEdits): string {
  let added = '';
  for (const edit of edits) {
    const [key, value] = edit;
    if (value === null || editOf(key, edits) !== edit) continue;
    if (members.some((member) => member.key === key)) continue;
    added += `${added === '' ? '' : ','}${JSON.stringify(key)}:${value}`;
  }
  return added;
}
