import { type Answer, type ToolCall, type Usage } from '../answer/answer';
import { type Refusal } from '../refusal';
import { type ResponseCall } from './read-response-call';
import { encryptedReasoning, reasoningId } from './reasoning';

type ItemStatus = 'completed' | 'incomplete';

export interface ReasoningItem {
  readonly type: 'reasoning';
  readonly id: string;
  readonly summary: readonly SummaryPart[];
  readonly encrypted_content?: string;
}

interface SummaryPart {
  readonly type: 'summary_text';
  readonly text: string;
}

export interface MessageItem {
  readonly type: 'message';
  readonly id: string;
  readonly status: ItemStatus;
  readonly role: 'assistant';
  readonly content: readonly TextPart[];
}

interface TextPart {
  readonly type: 'output_text';
  readonly text: string;
  readonly annotations: readonly never[];
  readonly logprobs: readonly never[];
}

export interface FunctionCallItem {
  readonly type: 'function_call';
  readonly id: string;
  readonly status: ItemStatus;
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

export type OutputItem = ReasoningItem | MessageItem | FunctionCallItem;

/** A `response` object that ended. */
export function writeResponse(answer: Answer, call: ResponseCall): object {
  const reason = incompleteReason(answer);
  return {
    ...responseHead(answer, call),
    status: reason === undefined ? 'completed' : 'incomplete',
    completed_at: reason === undefined ? answer.createdAtSeconds : null,
    incomplete_details: reason === undefined ? null : { reason },
    output: outputItems(answer, call),
    ...(answer.usage === undefined ? {} : { usage: responseUsage(answer.usage) }),
  };
}

/** A `response` object that has no output yet. */
export function writeStartedResponse(answer: Answer, call: ResponseCall): object {
  return { ...responseHead(answer, call), status: 'in_progress', completed_at: null, usage: null };
}

/** A `response` object that failed before it had all of its output. */
export function writeFailedResponse(answer: Answer, call: ResponseCall, { message }: Refusal): object {
  return {
    ...responseHead(answer, call),
    status: 'failed',
    completed_at: null,
    error: { code: 'server_error', message },
    usage: null,
  };
}

function responseHead({ id, model, createdAtSeconds }: Answer, { settings }: ResponseCall): object {
  return {
    id: `resp_sim_${id}`,
    object: 'response',
    created_at: createdAtSeconds,
    model,
    error: null,
    incomplete_details: null,
    output: [],
    ...settings,
  };
}

export function incompleteReason({ ending, finishReason }: Answer): string | undefined {
  return finishReason ?? (ending.kind === 'token_limit' ? 'max_output_tokens' : undefined);
}

/** Reasoning, a message and calls of functions; what the token limit cut comes last and is incomplete. */
export function outputItems(answer: Answer, call: ResponseCall): readonly OutputItem[] {
  const isCut = answer.ending.kind === 'token_limit';
  const lastStatus: ItemStatus = isCut ? 'incomplete' : 'completed';
  const calls = answer.toolCalls.map((toolCall, at) =>
    functionCallItem(toolCall, at === answer.toolCalls.length - 1 ? lastStatus : 'completed'),
  );
  const speaks = answer.text !== '' || (calls.length === 0 && !(isCut && answer.thinking !== ''));
  return [
    ...(answer.thinking === '' ? [] : [reasoningItem(answer, call)]),
    ...(speaks ? [messageItem(answer, calls.length === 0 ? lastStatus : 'completed')] : []),
    ...calls,
  ];
}

function reasoningItem({ id, thinking }: Answer, call: ResponseCall): ReasoningItem {
  return {
    type: 'reasoning',
    id: reasoningId(id, call.stores),
    summary: call.summarizes ? [{ type: 'summary_text', text: thinking }] : [],
    ...(call.encryptsReasoning ? { encrypted_content: encryptedReasoning(id) } : {}),
  };
}

function messageItem({ id, text }: Answer, status: ItemStatus): MessageItem {
  const part: TextPart = { type: 'output_text', text, annotations: [], logprobs: [] };
  return { type: 'message', id: `msg_sim_${id}`, status, role: 'assistant', content: [part] };
}

function functionCallItem({ id, name, argumentsJson }: ToolCall, status: ItemStatus): FunctionCallItem {
  return {
    type: 'function_call',
    id: `fc_sim_${id}`,
    status,
    call_id: `call_sim_${id}`,
    name,
    arguments: argumentsJson,
  };
}

/** Responses count cached tokens in `input_tokens`, and reasoning in `output_tokens`. */
function responseUsage(usage: Usage): object {
  return {
    input_tokens: usage.inputTokenCount,
    input_tokens_details: {
      cached_tokens: usage.cachedTokenCount,
      cache_write_tokens: usage.cacheWriteTokenCount,
    },
    output_tokens: usage.outputTokenCount,
    output_tokens_details: { reasoning_tokens: usage.thinkingTokenCount },
    total_tokens: usage.inputTokenCount + usage.outputTokenCount,
  };
}
