import { type AnswerAdditions } from '../../answer/answer-additions';
import { encodeUtf8, type JsonRecord, parseRecord, toByteText } from '../../json/byte-text';
import { parseFrameData } from '../../stream/sse-frame';

/** Byte text is one character a byte, so text of these alone reads the same either way and needs no recoding. */
const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** A JSON text in the form in which relays handle streams. */
export function byteJson(value: unknown): string {
  const json = JSON.stringify(value);
  return isAscii(json) ? json : toByteText(encodeUtf8(json));
}

/** The object that a frame's data holds, or null for anything else. */
export const parseByteJson = (data: string): JsonRecord | null =>
  isAscii(data) ? parseRecord(data) : parseFrameData(data);

/** Bytes of a JSON string in byte text, without its quotes. */
export const bytesInside = (jsonString: string): number => jsonString.length - 2;

/** The additions as members of a frame's data (contract.md section 5). */
export const additionMembers = ({ svc, warnings = [] }: AnswerAdditions): JsonRecord => ({
  svc,
  ...(warnings.length > 0 && { warnings }),
});

/** A frame that keeps a connection open and says nothing. */
export const KEEP_ALIVE_COMMENT = ': keep-alive\n\n';
