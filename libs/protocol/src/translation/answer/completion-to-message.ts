import { isRecord, type JsonRecord } from '../../json/byte-text';
import { type TokenUsage } from '../../usage/token-usage';
import { type Losses } from '../loss';
import { reasoningIn } from '../reasoning';
import { stopReasonOf } from '../stop-reason';
import { inputOfArguments } from '../tool-arguments';
import { forEachRecord, listIn, recordIn, textIn } from '../untyped-json';
import { messageUsageReport } from '../usage-report';

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
  const content: JsonRecord[] = [];
  const reasoning = reasoningIn(answer);
  if (reasoning !== null) {
    content.push({ type: 'thinking', thinking: reasoning.text, signature: reasoning.field });
  }
  // Clients show text and few read `stop_details`, so a refusal goes into both.
  const text = textOf(answer['content']) + textIn(answer['refusal']);
  if (text !== '') content.push({ type: 'text', text });
  const omitCall = (): void => {
    losses.omit('tool_calls');
  };
  let ordinal = 0;
  const takeCall = (call: JsonRecord): void => {
    const { name, arguments: json } = recordIn(call['function']);
    const callId = textIn(call['id']) || missingCallId(id, ordinal);
    ordinal++;
    if (typeof name !== 'string') omitCall();
    else content.push({ type: 'tool_use', id: callId, name, input: inputOfArguments(textIn(json)) });
  };
  forEachRecord(answer['tool_calls'], '', takeCall, omitCall);
  for (const name of ['audio', 'annotations']) {
    if (isRecord(answer[name]) || listIn(answer[name]).length > 0) losses.omit(name);
  }
  return content;
}

/** Several compatible providers send text as a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listIn(content)
    .map((part) => textIn(recordIn(part)['text']))
    .join('');
}

/** Some providers send tool calls without an id, but a tool result needs one. */
export const missingCallId = (answerId: string, ordinal: number): string =>
  `call_${answerId.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}_${String(ordinal)}`;
