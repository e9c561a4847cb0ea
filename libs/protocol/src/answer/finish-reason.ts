import { isRecord, type JsonRecord } from '../json/byte-text';
import { recordsIn } from '../json/untyped';

/**
 * The reasons for which providers say that an answer ended. OpenAI and Anthropic define their own. Compatible servers send each other's,
 * and some that no protocol has.
 */

/** The reason of an answer that an error of the provider broke off. No protocol defines one. */
export const FAILED = 'error';

type Meaning = 'stopped' | 'truncated' | 'called_tools' | 'filtered' | 'failed';

/** By reason, in lower case. */
const meanings: ReadonlyMap<string, Meaning> = new Map(
  Object.entries({
    stopped: ['stop', 'end_turn', 'stop_sequence', 'eos', 'eos_token'],
    // model_length: Mistral, https://docs.mistral.ai/api
    truncated: ['length', 'max_tokens', 'max_output_tokens', 'model_length', 'model_context_window_exceeded'],
    called_tools: ['tool_calls', 'tool_call', 'tool_use', 'function_call'],
    // Most are Google's, https://ai.google.dev/api/generate-content#FinishReason
    filtered: [
      ...['content_filter', 'content_filtered', 'refusal', 'sensitive'],
      ...['safety', 'recitation', 'blocklist', 'prohibited_content', 'spii'],
    ],
    // insufficient_system_resource: DeepSeek, https://api-docs.deepseek.com/api/create-chat-completion
    failed: [FAILED, 'insufficient_system_resource', 'abort', 'network_error', 'malformed_function_call'],
  }).flatMap(([meant, reasons]) => reasons.map((reason) => [reason, meant as Meaning])),
);

interface Vocabulary {
  /** The protocol's own reason of each meaning. */
  readonly usual: Readonly<Record<Meaning, string>>;
  /** Its other reasons. */
  readonly others: ReadonlySet<string>;
}

const ofChat: Vocabulary = {
  usual: {
    stopped: 'stop',
    truncated: 'length',
    called_tools: 'tool_calls',
    filtered: 'content_filter',
    failed: FAILED,
  },
  others: new Set(['function_call']),
};

const ofMessages: Vocabulary = {
  usual: {
    stopped: 'end_turn',
    truncated: 'max_tokens',
    called_tools: 'tool_use',
    filtered: 'refusal',
    failed: FAILED,
  },
  others: new Set(['stop_sequence', 'model_context_window_exceeded']),
};

/** Null for none: some servers write a blank one into every chunk. A reason that nobody knows stays as it is. */
function reasonIn({ usual, others }: Vocabulary, given: unknown): string | null {
  if (typeof given !== 'string') return null;
  const reason = given.trim();
  if (reason === '' || reason === 'null') return null;
  if (others.has(reason)) return reason;
  const meant = meanings.get(reason.toLowerCase());
  return meant === undefined ? reason : usual[meant];
}

/** The `finish_reason` of a chat choice, in OpenAI's words, or {@link FAILED}. Null while the choice has not ended. */
export const finishReasonIn = (choice: JsonRecord): string | null =>
  reasonIn(ofChat, choice['finish_reason']);

/** The `stop_reason` of a message or a `message_delta`, in Anthropic's words, or {@link FAILED}. Null while it has not ended. */
export const stopReasonIn = (ending: JsonRecord): string | null =>
  reasonIn(ofMessages, ending['stop_reason']);

/** True where a chat message or delta has a tool call. */
export const callsTool = ({ tool_calls: calls, function_call: call }: JsonRecord): boolean =>
  recordsIn(calls).length > 0 || isRecord(call);

/** Agents that are told of a tool call wait for one, so such a reason without a call is a usual end. */
export function withoutPhantomCall<Reason extends string | null>(
  reason: Reason,
  calledTools: boolean,
): Reason | string {
  if (calledTools) return reason;
  if (reason === 'tool_calls' || reason === 'function_call') return ofChat.usual.stopped;
  return reason === 'tool_use' ? ofMessages.usual.stopped : reason;
}
