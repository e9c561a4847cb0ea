import { type AnswerAdditions } from '../../answer/answer-additions';
import { encodeUtf8, type JsonRecord, parseRecord, toByteText } from '../../json/byte-text';
import { parseFrameData } from '../../stream/sse-frame';

/** Byte text has one character per byte, so ASCII text is the same in both forms and needs no conversion. */
const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** A value as JSON in byte text, the form in which relays handle streams. */
export function byteJson(value: unknown): string {
  const json = JSON.stringify(value);
  return isAscii(json) ? json : toByteText(encodeUtf8(json));
}

/** The object in a frame's data. Null for anything else. */
export const parseByteJson = (data: string): JsonRecord | null =>
  isAscii(data) ? parseRecord(data) : parseFrameData(data);

/** Length in bytes of a JSON string in byte text, without its quotes. */
export const bytesInside = (jsonString: string): number => jsonString.length - 2;

/** A JSON string without its quotes. */
export const inside = (jsonString: string): string => jsonString.slice(1, -1);

/** The additions as members of a frame's data (docs/reference/inference-and-compatibility.md#streaming). */
export const additionMembers = ({ svc, warnings = [] }: AnswerAdditions): JsonRecord => ({
  svc,
  ...(warnings.length > 0 && { warnings }),
});

/** A comment frame that keeps a connection open. */
export const KEEP_ALIVE_COMMENT = ': keep-alive\n\n';
