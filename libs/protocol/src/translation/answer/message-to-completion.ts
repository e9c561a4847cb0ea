import { isRecord, type JsonRecord } from '../../json/byte-text';
import { type TokenUsage } from '../../usage/token-usage';
import { toolCallOf } from '../call/turns-to-chat-messages';
import { type Losses } from '../loss';
import { reasoningDetailOf } from '../reasoning';
import { finishReasonOf } from '../stop-reason';
import { forEachRecord, recordIn, textIn } from '../untyped-json';
import { chatCompletionUsageReport } from '../usage-report';

interface CompletionFacts {
  /** Seconds since 1970 UTC. A message has no creation time. */
  readonly createdAtSeconds: number;
  /** Whether the caller uses the deprecated `functions` and expects `function_call`. */
  readonly asFunctionCall: boolean;
}

/** Translates a message to a chat completion. */
export function messageToCompletion(
  message: JsonRecord,
  usage: TokenUsage | null,
  { createdAtSeconds, asFunctionCall }: CompletionFacts,
  losses: Losses,
): JsonRecord {
  return {
    id: message['id'],
    object: 'chat.completion',
    created: createdAtSeconds,
    model: message['model'],
    choices: [
      {
        index: 0,
        message: chatMessageOf(message, asFunctionCall, losses),
        logprobs: null,
        finish_reason: finishReasonOf(message['stop_reason'], { asFunctionCall }),
      },
    ],
    ...(usage !== null && { usage: chatCompletionUsageReport(usage) }),
  };
}

function chatMessageOf(message: JsonRecord, asFunctionCall: boolean, losses: Losses): JsonRecord {
  let text = '';
  let reasoning = '';
  const toolCalls: JsonRecord[] = [];
  const details: JsonRecord[] = [];
  let place = 0;
  const take = (block: JsonRecord): void => {
    const detail = reasoningDetailOf(block, place++);
    if (detail !== null) details.push(detail);
    if (block['type'] === 'text') text += textIn(block['text']);
    else if (block['type'] === 'thinking') reasoning += textIn(block['thinking']);
    else if (block['type'] === 'tool_use') toolCalls.push(toolCallOf(block));
    else if (detail === null) losses.omit(answerBlock(block));
  };
  forEachRecord(message['content'], '', take, () => undefined);
  return {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    refusal: refusalOf(message),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...callsOf(toolCalls, asFunctionCall),
  };
}

function callsOf(toolCalls: readonly JsonRecord[], asFunctionCall: boolean): JsonRecord {
  const [first] = toolCalls;
  if (first === undefined) return {};
  return asFunctionCall ? { function_call: first['function'] } : { tool_calls: toolCalls };
}

/** The explanation of a refusal. The text before it stays the answer's content. */
export function refusalOf({ stop_reason: reason, stop_details: details }: JsonRecord): string | null {
  if (reason !== 'refusal') return null;
  const explanation = isRecord(details) ? details['explanation'] : null;
  return typeof explanation === 'string' && explanation !== '' ? explanation : null;
}

/** The `param` of the loss of an answer's block that has no counterpart in the other protocol. */
export const answerBlock = (block: unknown): string =>
  `content.${(textIn(recordIn(block)['type']) || 'unknown').slice(0, 100)}`;
