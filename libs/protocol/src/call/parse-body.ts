import { isUtf8 } from 'node:buffer';
import { GatewayError } from '@svc/kernel';
import { decodeUtf8, isRecord, type JsonRecord } from '../json/byte-text';
import { isNestedDeeperThan } from '../json/nesting';
import { outlineOf } from '../json/outline';

/**
 * The deepest nesting of arrays and objects. Far more than any call needs, and few enough that recursive code, native
 * code included, does not overflow its stack.
 */
const BODY_LEVELS_MAX = 1000;

/** Up to here a body is parsed whole where its outline does not tell enough, such as the place where it is no JSON. */
export const WHOLE_BYTES_MAX = 16 * 1024 * 1024;

/**
 * The JSON object of a body, with its long strings cut.
 * @throws GatewayError as {@link parseBody} does.
 */
export function parseOutline(bytes: Uint8Array): JsonRecord {
  requireText(bytes);
  const outline = outlineOf(bytes);
  try {
    if (outline !== null) return recordOf(JSON.parse(decodeUtf8(outline)));
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause;
  }
  if (bytes.length <= WHOLE_BYTES_MAX) return parseBody(bytes);
  throw invalid('The body is not valid JSON.');
}

/** @throws GatewayError `invalidRequest` for what is no JSON object. */
export function parseBody(bytes: Uint8Array): JsonRecord {
  requireText(bytes);
  let body: unknown;
  try {
    body = JSON.parse(decodeUtf8(bytes));
  } catch (cause) {
    throw invalid(`The body is not valid JSON${syntaxErrorPosition(cause)}.`);
  }
  return recordOf(body);
}

function recordOf(body: unknown): JsonRecord {
  if (!isRecord(body)) throw invalid('The body must be a JSON object.');
  return body;
}

function requireText(bytes: Uint8Array): void {
  if (bytes.length === 0) throw invalid('The body is empty; a JSON object was expected.');
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8.');
  // A shorter body cannot be that deep, or is not JSON.
  if (bytes.length > 2 * BODY_LEVELS_MAX && isNestedDeeperThan(BODY_LEVELS_MAX, bytes)) {
    throw invalid(`The body is nested deeper than ${String(BODY_LEVELS_MAX)} levels.`);
  }
}

/**
 * Only the position, because the rest of the engine's message may quote the body. So it is not kept as a cause either.
 */
function syntaxErrorPosition(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : '';
  if (message === 'Unexpected end of JSON input') return ': it ends too early';
  const place = / in JSON at position \d+ \((line \d+ column \d+)\)$/.exec(message);
  return place?.[1] === undefined ? '' : `: ${place[1]}`;
}

export function invalid(message: string, param?: string): GatewayError {
  return new GatewayError('invalidRequest', message, param === undefined ? {} : { param });
}
