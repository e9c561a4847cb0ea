import { asBuffer } from './byte-text';
import { stringEnd } from './json-string';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LOWER_U = 0x75;
const CONTINUATION_BITS = 0xc0;
const CONTINUATION = 0x80;
/** `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`. */
const ESCAPED = new Set([0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74]);
const HEX_DIGITS = 4;

/** Bytes of a string that an outline keeps: more than any value that is looked at has. */
export const LONG_STRING_BYTES = 16 * 1024;
/** In UTF-16 code units: a shorter string of an outline is whole. An escape has six bytes a unit, and nothing has more. */
export const UNCUT_LENGTH = Math.floor(LONG_STRING_BYTES / 6) - 1;

/**
 * A JSON text with its long strings cut to their beginnings: enough to ask what a body has, at little memory. It is JSON
 * exactly when the text is.
 * @param bytes UTF-8.
 * @returns null where a string that would be cut is no JSON.
 */
export function outlineOf(bytes: Uint8Array, keptBytes = LONG_STRING_BYTES): Uint8Array | null {
  const json = asBuffer(bytes);
  const pieces: Uint8Array[] = [];
  let written = 0;
  for (let at = json.indexOf(QUOTE); at !== -1 && at < json.length; at = json.indexOf(QUOTE, at)) {
    const end = stringEnd(json, at);
    if (end - at - 2 > keptBytes) {
      if (end > json.length || !isStringContent(json, at + 1, end - 1)) return null;
      pieces.push(json.subarray(written, cutAt(json, at + 1, keptBytes)));
      written = end - 1;
    }
    at = end;
  }
  if (pieces.length === 0) return json;
  pieces.push(json.subarray(written));
  return Buffer.concat(pieces);
}

/** Where to cut a string: after as many bytes as are kept, and within neither an escape nor a character. */
function cutAt(json: Buffer, from: number, keptBytes: number): number {
  const most = from + keptBytes;
  let at = from;
  while (at < most) {
    const next = at + lengthOfUnit(json, at);
    if (next > most) break;
    at = next;
  }
  while (((json[at] ?? 0) & CONTINUATION_BITS) === CONTINUATION) at--;
  return at;
}

/** Bytes of an escape; of a character the bytes are passed one by one. */
function lengthOfUnit(json: Buffer, at: number): number {
  if (json[at] !== BACKSLASH) return 1;
  return json[at + 1] === LOWER_U ? 2 + HEX_DIGITS : 2;
}

/** True where the bytes between two quotes are what JSON allows there. That they are UTF-8 is known. */
function isStringContent(json: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = json[at] ?? 0;
    if (byte < SPACE) return false;
    if (byte !== BACKSLASH) continue;
    const escaped = json[++at] ?? 0;
    if (escaped === LOWER_U) {
      if (!/^[0-9A-Fa-f]{4}$/.test(json.toString('latin1', at + 1, at + 1 + HEX_DIGITS))) return false;
      at += HEX_DIGITS;
    } else if (!ESCAPED.has(escaped)) return false;
  }
  return true;
}
