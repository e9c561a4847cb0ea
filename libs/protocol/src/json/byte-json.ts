import { decodeUtf8, encodeUtf8, fromByteText, type JsonRecord, parseRecord, toByteText } from './byte-text';

/** Byte text has one character per byte, so ASCII text is the same in both forms and needs no conversion. */
const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** A value as JSON in byte text, the form in which relays handle streams. */
export function byteJson(value: unknown): string {
  const json = JSON.stringify(value);
  return isAscii(json) ? json : toByteText(encodeUtf8(json));
}

/** The object in a JSON text in byte text. Null for anything else. */
export const parseByteJson = (json: string): JsonRecord | null =>
  parseRecord(isAscii(json) ? json : decodeUtf8(fromByteText(json)));

/** Length in bytes of a JSON string in byte text, without its quotes. */
export const bytesInside = (jsonString: string): number => jsonString.length - 2;

/** A JSON string without its quotes. */
export const inside = (jsonString: string): string => jsonString.slice(1, -1);
