import { asBuffer } from './byte-text';
import { stringEnd } from './json-string';

const QUOTE = 0x22;
/** The bit in which `{` differs from `[`, and `}` from `]`. */
const BRACE_BIT = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * True where arrays and objects are nested deeper than `levelsMax`. It looks only at brackets outside strings, and the
 * bytes need not be JSON. It runs before `JSON.parse`, which takes 50 bytes of memory for every open bracket.
 */
export function isNestedDeeperThan(levelsMax: number, bytes: Uint8Array): boolean {
  const json = asBuffer(bytes);
  let level = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) {
      at = stringEnd(json, at) - 1;
      continue;
    }
    const bracket = byte | BRACE_BIT;
    if (bracket === OPEN && ++level > levelsMax) return true;
    if (bracket === CLOSE) level--;
  }
  return false;
}
