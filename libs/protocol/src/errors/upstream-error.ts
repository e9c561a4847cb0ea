import { decodeUtf8, isRecord, type JsonRecord } from '../json/byte-text';
import { listIn } from '../json/untyped';

const MESSAGE_BYTES_MAX = 2048;
/** Objects and lists inside each other, in which a message is looked for. */
const LEVELS_MAX = 6;
/** Messages of a list, such as one for each wrong field. */
const LISTED_MAX = 5;

/** Where a provider's message is, best first. `msg` and `detail` are FastAPI's. */
const MESSAGE_MEMBERS = ['message', 'msg', 'detail', 'errors', 'error_description', 'error', 'title'];

/** Characters that would change how a log or a terminal shows the text around them. Line breaks and tabs may stay. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The message in a provider's error body, at most 2 KiB: `error.message` in both protocols. Others have a list of errors,
 * other names, or a bare text. Null when there is none.
 */
export const upstreamErrorMessage = (bytes: Uint8Array): string | null =>
  errorMessageOf(errorIn(decodeUtf8(bytes)));

/** The names of the error in a provider's body: `error.type` and `error.code` of both protocols, where they are texts. */
export function upstreamErrorNames(bytes: Uint8Array): readonly string[] {
  const body = errorIn(decodeUtf8(bytes));
  const error = isRecord(body) ? body['error'] : null;
  if (!isRecord(error)) return [];
  return [error['type'], error['code']].filter((name) => typeof name === 'string');
}

/** A provider's error: a JSON value or a text. Null for a page and for half a JSON text, which have no message. */
export function errorIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return /^\s*[<{[]/.test(text) || text.includes('\u0000') ? null : text;
  }
}

/** The message of a provider's error in any form, cut to 2 KiB between two characters. Null when there is none. */
export function errorMessageOf(error: unknown): string | null {
  const message = messageIn(error, LEVELS_MAX)?.replaceAll(CONTROLS, ' ').trim();
  if (message === undefined || message === '') return null;
  const bytes = Buffer.from(message, 'utf8');
  if (bytes.length <= MESSAGE_BYTES_MAX) return message;
  // A streaming decoder drops the incomplete character at the cut.
  return new TextDecoder().decode(bytes.subarray(0, MESSAGE_BYTES_MAX), { stream: true });
}

function messageIn(value: unknown, levels: number): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return joined(value.slice(0, LISTED_MAX), levels);
  return isRecord(value) ? messageOf(value, levels) : null;
}

function messageOf(error: JsonRecord, levels: number): string | null {
  // An `error` that is a text is mostly a title beside the message.
  const inside = typeof error['error'] === 'string' ? null : messageIn(error['error'], levels - 1);
  if (inside !== null) return inside;
  for (const member of MESSAGE_MEMBERS) {
    const message = messageIn(error[member], levels - 1);
    if (message !== null) return `${placeIn(error)}${message}`;
  }
  return null;
}

function joined(errors: readonly unknown[], levels: number): string | null {
  const messages = errors.map((error) => messageIn(error, levels - 1)).filter((message) => message !== null);
  return messages.length === 0 ? null : messages.join('; ');
}

/** FastAPI says in `loc` which field is wrong. */
function placeIn({ loc }: JsonRecord): string {
  const path = listIn(loc).filter((step) => typeof step === 'string' || typeof step === 'number');
  return path.length === 0 ? '' : `${path.join('.')}: `;
}
