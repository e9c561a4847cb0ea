import { type JsonRecord } from '../../json/byte-text';
import { recordIn, textIn } from '../untyped-json';

/** Whether a chat chunk holds a piece of text and nothing else. */
export function isTextAlone(chunk: JsonRecord, { delta, finish_reason: finishReason }: JsonRecord): boolean {
  const others = [finishReason, chunk['usage'], ...Object.entries(recordIn(delta)).flatMap(otherMembers)];
  return textIn(recordIn(delta)['content']) !== '' && others.every((value) => (value ?? null) === null);
}

const otherMembers = ([member, value]: [string, unknown]): unknown[] =>
  member === 'content' || member === 'role' ? [] : [value];
