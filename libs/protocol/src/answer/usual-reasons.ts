import { type JsonRecord } from '../json/byte-text';
import { spliceListed, spliceMembers } from '../json/splice';
import { topLevelMembers } from '../json/top-level-members';
import { recordIn, recordsIn, textIn } from '../json/untyped';
import { callsTool, FAILED, finishReasonIn, stopReasonIn, withoutPhantomCall } from './finish-reason';

/** A chat completion with OpenAI's finish reasons. Null when a choice ended by an error. */
export function completionWithUsualReasons(bytes: Uint8Array, completion: JsonRecord): Uint8Array | null {
  const choices = recordsIn(completion['choices']);
  const reasons = choices.map((choice) =>
    withoutPhantomCall(finishReasonIn(choice), callsTool(recordIn(choice['message']))),
  );
  if (reasons.includes(FAILED)) return null;
  const isUsual = choices.every((choice, index) => isSame(choice['finish_reason'], reasons[index]));
  if (isUsual) return bytes;
  const edits = reasons.map((reason) => reasonEdit('finish_reason', reason));
  return spliceListed(bytes, 'choices', edits);
}

/** A message with one of Anthropic's stop reasons. Null when it ended by an error. */
export function messageWithUsualReason(bytes: Uint8Array, message: JsonRecord): Uint8Array | null {
  const calledTools = recordsIn(message['content']).some(({ type }) => textIn(type).endsWith('tool_use'));
  const reason = withoutPhantomCall(stopReasonIn(message), calledTools);
  if (reason === FAILED) return null;
  if (isSame(message['stop_reason'], reason)) return bytes;
  return Buffer.concat(spliceMembers(bytes, topLevelMembers(bytes), reasonEdit('stop_reason', reason)));
}

/** A reason that is absent or blank stays so. */
const isSame = (given: unknown, reason: string | null = null): boolean => reason === null || given === reason;

const reasonEdit = (member: string, reason: string | null): (readonly [string, string])[] =>
  reason === null ? [] : [[member, JSON.stringify(reason)]];
