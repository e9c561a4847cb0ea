import { type JsonRecord } from '../json/byte-text';
import { spliceListed, spliceMembers } from '../json/splice';
import { topLevelMembers } from '../json/top-level-members';
import { listIn, recordIn, recordsIn, textIn } from '../json/untyped';
import { callsTool, FAILED, finishReasonIn, stopReasonIn, withoutPhantomCall } from './finish-reason';

/** A chat completion with OpenAI's finish reasons. Null when a choice ended by an error. */
export function completionWithUsualReasons(bytes: Uint8Array, completion: JsonRecord): Uint8Array | null {
  // Of nearly all answers, without a look at anything else.
  if (listIn(completion['choices']).every(hasPlainReason)) return bytes;
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
  const given = stopReasonIn(message);
  const reason = given === 'tool_use' ? withoutPhantomCall(given, hasToolUse(message)) : given;
  if (reason === FAILED) return null;
  if (isSame(message['stop_reason'], reason)) return bytes;
  return Buffer.concat(spliceMembers(bytes, topLevelMembers(bytes), reasonEdit('stop_reason', reason)));
}

const hasToolUse = ({ content }: JsonRecord): boolean =>
  recordsIn(content).some(({ type }) => textIn(type).endsWith('tool_use'));

/** Reasons that are OpenAI's and tell of nothing else. */
const PLAIN: ReadonlySet<unknown> = new Set(['stop', 'length', 'content_filter']);
const hasPlainReason = (choice: unknown): boolean => PLAIN.has(recordIn(choice)['finish_reason']);

/** A reason that is absent or blank stays so. */
const isSame = (given: unknown, reason: string | null = null): boolean => reason === null || given === reason;

const reasonEdit = (member: string, reason: string | null): (readonly [string, string])[] =>
  reason === null ? [] : [[member, JSON.stringify(reason)]];
