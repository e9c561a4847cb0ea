import { isRecord, type JsonRecord } from '../../json/byte-text';
import { recordsIn } from '../../json/untyped';
import { type TokenUsage } from '../../usage/token-usage';
import { chatCompletionUsageReport } from '../../usage/usage-report';
import { toolCallOf } from '../call/turns-to-chat-messages';
import { CallIds } from '../call-ids';
import { type Losses } from '../loss';
import { reasoningDetailOf } from '../reasoning';
import { finishReasonOf } from '../stop-reason';
import { forEachRecord, listIn, recordIn, textIn } from '../untyped-json';
import { answerPart } from './completion-to-message';

interface CompletionFacts {
  /** Seconds since 1970 UTC. A message has no creation time. */
  readonly createdAtSeconds: number;
  /** True where the caller uses the deprecated `functions` and expects `function_call`. */
  readonly asFunctionCall: boolean;
}

/** Translates a message to a chat completion. */
export function messageToCompletion(
  message: JsonRecord,
  usage: TokenUsage | null,
  { createdAtSeconds, asFunctionCall }: CompletionFacts,
  losses: Losses,
): JsonRecord {
  const calledTools = recordsIn(message['content']).some(({ type }) => type === 'tool_use');
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
        finish_reason: finishReasonOf(message['stop_reason'], { asFunctionCall, calledTools }),
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
  const ids = new CallIds();
  const idOf = ({ id }: JsonRecord): string => ids.next(textIn(id), textIn(message['id']));
  const take = (block: JsonRecord): void => {
    const detail = reasoningDetailOf(block, place++);
    if (detail !== null) details.push(detail);
    if (hasCitations(block)) losses.omit(CITATIONS);
    if (block['type'] === 'text') text += textIn(block['text']);
    else if (block['type'] === 'thinking') reasoning += textIn(block['thinking']);
    else if (block['type'] === 'tool_use') toolCalls.push(toolCallOf({ ...block, id: idOf(block) }));
    else if (detail === null) losses.omit(answerBlock(block));
  };
  forEachRecord(message['content'], '', take, () => undefined);
  return {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    refusal: refusalOf(message),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...callsOf(toolCalls, asFunctionCall, losses),
  };
}

function callsOf(toolCalls: readonly JsonRecord[], asFunctionCall: boolean, losses: Losses): JsonRecord {
  const [first] = toolCalls;
  if (first === undefined) return {};
  if (asFunctionCall && toolCalls.length > 1) losses.omit(OTHER_CALLS);
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
  answerPart(textIn(recordIn(block)['type']) || 'unknown');

/** True where a block of text has citations. Chat completions and responses have none of their form. */
export const hasCitations = ({ citations }: JsonRecord): boolean => listIn(citations).length > 0;

export const CITATIONS = answerPart('citations');

/** The tool calls of an answer after the first, for a caller whose `function_call` holds only one. */
export const OTHER_CALLS = answerPart('tool_use');
