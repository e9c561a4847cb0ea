import { asBuffer } from './byte-text';
import { stringEnd } from './json-string';

/** Byte offsets of one member: the key with its quotes starts at `keyStart`, the value ends before `valueEnd`. */
export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** Byte offsets of an object's braces, and its members in the order of the text, duplicates included. */
export interface JsonObjectSpan {
  readonly open: number;
  readonly close: number;
  readonly members: readonly JsonMember[];
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;
const MINUS = 0x2d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;

/**
 * Finds the members of the object in a JSON text without parsing their values. Only for text that `JSON.parse` has
 * accepted as an object.
 *
 * @param from where the object begins, when it is inside another one
 * @throws RangeError when the text ends inside the object.
 */
export function topLevelMembers(bytes: Uint8Array, from = 0): JsonObjectSpan {
  const json = asBuffer(bytes);
  const members: JsonMember[] = [];
  const open = skipSpace(json, from);
  let at = skipSpace(json, open + 1);
  while (json[at] === QUOTE) {
    const keyStart = at;
    const keyEnd = stringEnd(json, keyStart);
    const valueStart = skipSpace(json, skipSpace(json, keyEnd) + 1);
    const valueEnd = endOfValue(json, valueStart);
    members.push({ key: decodeKey(json, keyStart, keyEnd), keyStart, valueStart, valueEnd });
    at = skipSpace(json, valueEnd);
    if (json[at] === COMMA) at = skipSpace(json, at + 1);
  }
  if (json[at] !== CLOSE_BRACE) throw endOfText();
  return { open, close: at, members };
}

/**
 * The members of the object that is the value of a top-level member. Members after it are not looked at. Null when
 * there is no such object, or the text ends inside it.
 */
export function membersInside(bytes: Uint8Array, key: string): JsonObjectSpan | null {
  const json = asBuffer(bytes);
  try {
    const valueStart = valueStartOf(json, key);
    return valueStart !== null && json[valueStart] === OPEN_BRACE ? topLevelMembers(bytes, valueStart) : null;
  } catch {
    // The text ends inside the object.
    return null;
  }
}

/**
 * The objects in the list that is the value of a top-level member. Only for text that `JSON.parse` has accepted as an
 * object.
 *
 * @throws RangeError when the text ends inside the list.
 */
export function objectsInside(bytes: Uint8Array, key: string): readonly JsonObjectSpan[] {
  const json = asBuffer(bytes);
  const listStart = valueStartOf(json, key);
  if (listStart === null || json[listStart] !== OPEN_BRACKET) return [];
  const objects: JsonObjectSpan[] = [];
  let at = skipSpace(json, listStart + 1);
  while (json[at] !== CLOSE_BRACKET) {
    if (json[at] === OPEN_BRACE) objects.push(topLevelMembers(bytes, at));
    const valueEnd = endOfValue(json, at);
    if (valueEnd === at) throw endOfText();
    at = skipSpace(json, valueEnd);
    if (json[at] === COMMA) at = skipSpace(json, at + 1);
  }
  return objects;
}

/** Where the value of a top-level member begins. Null without the member. */
function valueStartOf(json: Buffer, key: string): number | null {
  let at = skipSpace(json, skipSpace(json, 0) + 1);
  while (json[at] === QUOTE) {
    const keyEnd = stringEnd(json, at);
    const valueStart = skipSpace(json, skipSpace(json, keyEnd) + 1);
    if (decodeKey(json, at, keyEnd) === key) return valueStart;
    at = skipSpace(json, endOfValue(json, valueStart));
    if (json[at] === COMMA) at = skipSpace(json, at + 1);
  }
  return null;
}

function decodeKey(json: Buffer, start: number, end: number): string {
  const key = json.toString('utf8', start + 1, end - 1);
  return key.includes('\\') ? (JSON.parse(`"${key}"`) as string) : key;
}

function skipSpace(json: Buffer, from: number): number {
  let at = from;
  // All JSON white space is at or below the space character, and no token starts with such a byte.
  while ((json[at] ?? 0xff) <= SPACE) at++;
  return at;
}

function endOfValue(json: Buffer, start: number): number {
  const first = json[start];
  if (first === QUOTE) return stringEnd(json, start);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return containerEnd(json, start);
  let at = start;
  for (let byte = first; byte !== undefined; byte = json[++at]) {
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte <= SPACE) return at;
  }
  throw endOfText();
}

function containerEnd(json: Buffer, open: number): number {
  let depth = 0;
  let firstClose = -1;
  for (let at = open; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = stringEnd(json, at) - 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth++;
      if (byte === OPEN_BRACE || !startsNumber(json[at + 1])) continue;
      // Searched for again only once it is behind, so that deep nesting does not make it quadratic.
      if (firstClose < at) firstClose = json.indexOf(CLOSE_BRACKET, at);
      if (firstClose === -1) break;
      if (isFlat(json.subarray(at + 1, firstClose))) at = firstClose - 1;
    } else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return at + 1;
  }
  throw endOfText();
}

const startsNumber = (byte = 0): boolean => byte === MINUS || (byte >= DIGIT_0 && byte <= DIGIT_9);

/**
 * True where the bytes of a list have neither lists, strings nor objects. A vector is searched natively, because it has
 * thousands of digits. Brackets are searched for first: lists without any do not overlap, so the cost stays linear.
 */
const isFlat = (items: Buffer): boolean =>
  !items.includes(OPEN_BRACKET) && !items.includes(QUOTE) && !items.includes(OPEN_BRACE);

const endOfText = (): RangeError => new RangeError('the text ends inside its JSON object');
