/** Bytes that are read or decoded between two steps. */
const STEP_BYTES = 1 << 18;
const PRIMITIVE = /[-+.\w]+/y;
/** `\uXXXX`; the others are two bytes long. */
const LONGEST_ESCAPE_BYTES = 6;
const [QUOTE, BACKSLASH, COMMA, COLON, LETTER_U] = [0x22, 0x5c, 0x2c, 0x3a, 0x75];
const SPACES: readonly (number | undefined)[] = [0x20, 0x0a, 0x0d, 0x09];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

interface Container {
  readonly value: unknown[] | Record<string, unknown>;
  key: string;
}

/**
 * Reads JSON in steps of a quarter of a mebibyte, so that the caller can yield in between: `JSON.parse` on 50 MB
 * blocks the process for up to half a second. The result equals `JSON.parse`, except that objects have no prototype.
 * @throws SyntaxError as `JSON.parse` does.
 */
export function* jsonSteps(bytes: Buffer): Generator<undefined, unknown> {
  const open: Container[] = [];
  let at = skipSpace(bytes, 0);
  let nextStepAt = STEP_BYTES;

  for (;;) {
    if (at >= nextStepAt) {
      nextStepAt = at + STEP_BYTES;
      yield;
    }
    let value: unknown;
    const byte = bytes[at];
    if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      const isArray = byte === OPEN_ARRAY;
      const container: Container = {
        value: isArray ? [] : (Object.create(null) as Record<string, unknown>),
        key: '',
      };
      at = skipSpace(bytes, at + 1);
      if (bytes[at] !== (isArray ? CLOSE_ARRAY : CLOSE_OBJECT)) {
        open.push(container);
        if (!isArray) [container.key, at] = yield* readKey(bytes, at);
        continue;
      }
      value = container.value;
      at++;
    } else if (byte === QUOTE) {
      [value, at] = yield* readString(bytes, at);
    } else {
      [value, at] = readPrimitive(bytes, at);
    }

    // The value is complete: add it to its container, and close every container that ends with it.
    for (;;) {
      at = skipSpace(bytes, at);
      const container = open.at(-1);
      if (container === undefined) {
        if (at < bytes.length) throw unexpected(at);
        return value;
      }
      const isArray = Array.isArray(container.value);
      if (Array.isArray(container.value)) container.value.push(value);
      else container.value[container.key] = value;
      if (bytes[at] === COMMA) {
        at = skipSpace(bytes, at + 1);
        if (!isArray) [container.key, at] = yield* readKey(bytes, at);
        break;
      }
      if (bytes[at] !== (isArray ? CLOSE_ARRAY : CLOSE_OBJECT)) throw unexpected(at);
      value = container.value;
      open.pop();
      at++;
    }
  }
}

function* readKey(bytes: Buffer, start: number): Generator<undefined, [key: string, at: number]> {
  if (bytes[start] !== QUOTE) throw unexpected(start);
  const [key, end] = yield* readString(bytes, start);
  const colonAt = skipSpace(bytes, end);
  if (bytes[colonAt] !== COLON) throw unexpected(colonAt);
  return [key, skipSpace(bytes, colonAt + 1)];
}

/** Decodes a long string in pieces, each a JSON string of its own. */
function* readString(bytes: Buffer, start: number): Generator<undefined, [text: string, at: number]> {
  const end = yield* endOfString(bytes, start);
  let text = '';
  for (let from = start + 1; from < end - 1;) {
    const to = pieceEnd(bytes, from, end - 1);
    text += JSON.parse(`"${bytes.toString('utf8', from, to)}"`) as string;
    if (to < end - 1) yield;
    from = to;
  }
  return [text, end];
}

function* endOfString(bytes: Buffer, start: number): Generator<undefined, number> {
  let quoteAt = start;
  let nextStepAt = start + STEP_BYTES;
  for (;;) {
    quoteAt = bytes.indexOf(QUOTE, quoteAt + 1);
    if (quoteAt === -1) throw unexpected(bytes.length);
    if (backslashesBefore(bytes, quoteAt) % 2 === 0) return quoteAt + 1;
    if (quoteAt < nextStepAt) continue;
    nextStepAt = quoteAt + STEP_BYTES;
    yield;
  }
}

/** A position to cut at: the first byte of a character, outside an escape. */
function pieceEnd(bytes: Buffer, from: number, end: number): number {
  for (let cut = from + STEP_BYTES; cut < end; cut++) {
    const continuesCharacter = ((bytes[cut] ?? 0) & 0xc0) === 0x80;
    if (!continuesCharacter && !isInEscape(bytes, cut)) return cut;
  }
  return end;
}

function isInEscape(bytes: Buffer, cut: number): boolean {
  for (let at = cut - 1; at > cut - LONGEST_ESCAPE_BYTES; at--) {
    if (bytes[at] !== BACKSLASH || backslashesBefore(bytes, at) % 2 === 1) continue;
    return at + (bytes[at + 1] === LETTER_U ? LONGEST_ESCAPE_BYTES : 2) > cut;
  }
  return false;
}

/** An odd number means that the byte at this position is escaped. */
function backslashesBefore(bytes: Buffer, at: number): number {
  let count = 0;
  while (bytes[at - 1 - count] === BACKSLASH) count++;
  return count;
}

function readPrimitive(bytes: Buffer, start: number): [value: unknown, at: number] {
  PRIMITIVE.lastIndex = 0;
  const text = PRIMITIVE.exec(bytes.toString('latin1', start, start + 400))?.[0];
  if (text === undefined) throw unexpected(start);
  return [JSON.parse(text), start + text.length];
}

function skipSpace(bytes: Buffer, start: number): number {
  let at = start;
  while (SPACES.includes(bytes[at])) at++;
  return at;
}

function unexpected(at: number): SyntaxError {
  return new SyntaxError(`Unexpected JSON at byte ${String(at)}`);
}
