import { type JsonRecord } from '../../json/byte-text';
import { type ChunkChoice } from '../../stream/chat-stream-reader';
import { textIn } from '../untyped-json';

/** True where a chat chunk holds a piece of text and nothing else. */
export function isTextAlone(chunk: JsonRecord, { choice, delta, finishReason }: ChunkChoice): boolean {
  if (textIn(delta['content']) === '') return false;
  const others = [
    ...[finishReason, chunk['usage'], chunk['x_groq'], choice['usage']],
    ...Object.entries(delta).flatMap(otherMembers),
  ];
  return others.every((value) => (value ?? null) === null);
}

const otherMembers = ([member, value]: [string, unknown]): unknown[] =>
  member === 'content' || member === 'role' ? [] : [value];
