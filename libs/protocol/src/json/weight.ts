import { asBuffer } from './byte-text';
import { stringEnd } from './json-string';

const QUOTE = 0x22;
const COMMA = 0x2c;
/** The bit in which `{` differs from `[`. */
const BRACE_BIT = 0x20;
const OPEN = 0x7b;

/** The parts of a JSON text that take memory when it is parsed. */
interface JsonWeight {
  /** Values, and keys: at least as many as there are. */
  readonly values: number;
  /** Bytes, of each string at most as many as count. */
  readonly bytes: number;
}

/** @param stringBytesMax bytes of a string that count. Bytes that are no JSON have a weight too. */
export function weightOf(bytes: Uint8Array, stringBytesMax = Infinity): JsonWeight {
  const json = asBuffer(bytes);
  let values = 1;
  let weighed = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    weighed++;
    if (byte === QUOTE) {
      const end = stringEnd(json, at);
      weighed += Math.min(end - at, stringBytesMax);
      values++;
      at = end - 1;
    } else if (byte === COMMA || (byte | BRACE_BIT) === OPEN) values++;
  }
  return { values, bytes: weighed };
}
