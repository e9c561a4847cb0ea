import { isRecord, type JsonRecord } from '../../json/byte-text';
import { jsonTextOf } from '../../output/arguments-text';
import { contentParts } from '../../output/content-parts';
import { type TokenUsage } from '../../usage/token-usage';
import { messageUsageReport } from '../../usage/usage-report';
import { CallIds } from '../call-ids';
import { calledIn } from '../chat-tool-calls';
import { type Losses } from '../loss';
import { reasoningIn } from '../reasoning';
import { stopReasonOf } from '../stop-reason';
import { inputOfArguments } from '../tool-arguments';
import { forEachRecord, listIn, recordIn, textIn } from '../untyped-json';

/** Translates a chat completion to a message. Null when it holds no answer. */
export function completionToMessage(
  completion: JsonRecord,
  usage: TokenUsage | null,
  losses: Losses,
): JsonRecord | null {
  const choice = listIn(completion['choices']).find(isRecord);
  if (choice === undefined || !isRecord(choice['message'])) return null;
  const answer = choice['message'];
  const content = contentOf(answer, textIn(completion['id']), losses);
  const refusal = textIn(answer['refusal']);
  return {
    id: completion['id'],
    type: 'message',
    role: 'assistant',
    model: completion['model'],
    content,
    ...messageEnd(choice['finish_reason'], {
      calledTools: content.some(({ type }) => type === 'tool_use'),
      refusal,
    }),
    usage: messageUsageReport(usage),
  };
}

/**
 * The stop reason members of a message. Chat does not report which stop sequence matched, so `stop_sequence` is null.
 */
export function messageEnd(
  finishReason: unknown,
  { calledTools, refusal }: { readonly calledTools: boolean; readonly refusal: string },
): JsonRecord {
  const reason = stopReasonOf(finishReason, { calledTools, refused: refusal !== '' });
  return {
    stop_reason: reason,
    stop_sequence: null,
    ...(reason === 'refusal' && {
      stop_details: { type: 'refusal', category: null, explanation: refusal === '' ? null : refusal },
    }),
  };
}

function contentOf(answer: JsonRecord, id: string, losses: Losses): JsonRecord[] {
  return [...thinkingIn(answer), ...textsIn(answer, losses), ...toolUsesIn(answer, id, losses)];
}

function thinkingIn(answer: JsonRecord): JsonRecord[] {
  const reasoning = reasoningIn(answer);
  return reasoning === null
    ? []
    : [{ type: 'thinking', thinking: reasoning.text, signature: reasoning.field }];
}

/** A block for each text, and for each reasoning between texts. */
function textsIn(answer: JsonRecord, losses: Losses): JsonRecord[] {
  const content: { type: 'text' | 'thinking'; text: string }[] = [];
  const add = (type: 'text' | 'thinking', text: string): void => {
    const last = content.at(-1);
    if (last?.type === type) last.text += text;
    else content.push({ type, text });
  };
  for (const { kind, text } of contentParts(answer['content'])) {
    if (kind === 'other') losses.omit(answerPart(text));
    else add(kind === 'text' ? 'text' : 'thinking', text);
  }
  // Clients show text and few read `stop_details`, so a refusal goes into both.
  const refusal = textIn(answer['refusal']);
  if (refusal !== '') add('text', refusal);
  for (const name of UNTRANSLATED) {
    if (isRecord(answer[name]) || listIn(answer[name]).length > 0) losses.omit(name);
  }
  return content.map(({ type, text }) =>
    type === 'text' ? { type, text } : { type, thinking: text, signature: 'content' },
  );
}

function toolUsesIn(answer: JsonRecord, answerId: string, losses: Losses): JsonRecord[] {
  const content: JsonRecord[] = [];
  const ids = new CallIds();
  const omitCall = (): void => {
    losses.omit('tool_calls');
  };
  const takeCall = (call: JsonRecord): void => {
    const called = recordIn(call['function'] ?? call['custom']);
    const name = textIn(called['name']);
    const input = jsonTextOf(called['arguments'] ?? called['input']);
    if (name === '') omitCall();
    else {
      const id = ids.next(textIn(call['id']), answerId);
      content.push({ type: 'tool_use', id, name, input: inputOfArguments(input) });
    }
  };
  forEachRecord(calledIn(answer), '', takeCall, omitCall);
  return content;
}

/** Members of a chat answer that have no counterpart in a message. */
export const UNTRANSLATED = ['audio', 'annotations'] as const;

/** The `param` of the loss of a part of an answer's content. `type`: the provider's. */
export const answerPart = (type: string): string => `content.${type.slice(0, 100)}`;
