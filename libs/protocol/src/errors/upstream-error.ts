import { decodeUtf8, isRecord, parseRecord } from '../json/byte-text';

const MESSAGE_BYTES_MAX = 2048;

/**
 * The `error.message` of a provider's error body, at most 2 KiB. Both protocols have it at the same place. Null when
 * there is none.
 */
export function upstreamErrorMessage(bytes: Uint8Array): string | null {
  return errorMessageOf(parseRecord(decodeUtf8(bytes))?.['error']);
}

/** The message of a protocol's `error` object, cut to 2 KiB between two characters. Null when there is none. */
export function errorMessageOf(error: unknown): string | null {
  const message = isRecord(error) ? error['message'] : null;
  if (typeof message !== 'string' || message === '') return null;
  const bytes = Buffer.from(message, 'utf8');
  if (bytes.length <= MESSAGE_BYTES_MAX) return message;
  // A streaming decoder drops the incomplete character at the cut.
  return new TextDecoder().decode(bytes.subarray(0, MESSAGE_BYTES_MAX), { stream: true });
}
