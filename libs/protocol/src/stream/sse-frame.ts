import { decodeUtf8, fromByteText, type JsonRecord, parseRecord, toByteText } from '../json/byte-text';
import { type MemberEdits, spliceListed, spliceMembers } from '../json/splice';
import { membersInside, topLevelMembers } from '../json/top-level-members';

/** The parts of a server-sent event that both protocols use, as byte text. */
export interface SseFrame {
  /** Empty when the frame has no event name. */
  readonly event: string;
  /** Null when the frame has no data, such as a comment. Blank data is none: some servers send it to keep a connection open. */
  readonly data: string | null;
}

export function readSseFrame(frame: string): SseFrame {
  // Fast path for nearly every frame: one data line, alone or after the line with the event name.
  const nameEnd = frame.startsWith('event: ') ? frame.indexOf('\n') : -1;
  const dataStart = nameEnd + 1;
  if (
    frame.startsWith('data: ', dataStart) &&
    frame.indexOf('\n', dataStart) === frame.length - 2 &&
    !frame.includes('\r')
  ) {
    const data = frame.slice(dataStart + 6, -2);
    return { event: nameEnd === -1 ? '' : frame.slice(7, nameEnd), data: isBlank(data) ? null : data };
  }
  return readLines(frame);
}

function readLines(frame: string): SseFrame {
  let event = '';
  const data: string[] = [];
  for (const line of frame.split(/\r\n|\n|\r/)) {
    const [, field, value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  const joined = data.join('\n');
  return { event, data: isBlank(joined) ? null : joined };
}

/** Nearly all data begins with a character that decides it. */
const isBlank = (data: string): boolean => !(data.charCodeAt(0) > 0x20) && data.trim() === '';

/** A frame of one data line; `data` is byte text. */
export function writeSseFrame({ event, data }: { readonly event: string; readonly data: string }): string {
  const name = event === '' ? '' : `event: ${event}\n`;
  // In JSON text, line breaks occur only between tokens.
  return `${name}data: ${data.replaceAll('\n', ' ')}\n\n`;
}

/** The object in a frame's data. Null for anything else. */
export const parseFrameData = (data: string): JsonRecord | null =>
  parseRecord(decodeUtf8(fromByteText(data)));

/** A JSON object in byte text with some of its members changed. */
export function spliceByteText(json: string, edits: MemberEdits): string {
  const bytes = fromByteText(json);
  return spliceMembers(bytes, topLevelMembers(bytes), edits).map(toByteText).join('');
}

/** A JSON object in byte text with some members of the object in its member `key` changed. Null without such an object. */
export function spliceInside(json: string, key: string, edits: MemberEdits): string | null {
  const bytes = fromByteText(json);
  const object = membersInside(bytes, key);
  return object === null ? null : spliceMembers(bytes, object, edits).map(toByteText).join('');
}

/** A JSON object in byte text with some members changed of the objects in its list `key`. `edits`: those of each. */
export const spliceInList = (json: string, key: string, edits: readonly MemberEdits[]): string =>
  toByteText(spliceListed(fromByteText(json), key, edits));

/**
 * Length in bytes of the JSON string whose opening quote is at `open`, without its quotes. Escapes count as written.
 */
export function jsonStringBytes(text: string, open: number): number {
  for (let quote = text.indexOf('"', open + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escape = quote;
    while (text.charCodeAt(escape - 1) === 0x5c) escape--;
    if ((quote - escape) % 2 === 0) return quote - open - 1;
  }
  return text.length - open - 1;
}
