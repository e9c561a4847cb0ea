import { withoutPhantomCall } from '../answer/finish-reason';

/** Translates why an answer ended. The reasons are those of a protocol: readers made them so. */

const finishReasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  // The answer can be continued. Only `length` of chat's reasons means this.
  pause_turn: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** `finish_reason` of a chat choice for a message's `stop_reason`. Null: the message has none. */
export function finishReasonOf(
  stopReason: unknown,
  { asFunctionCall, calledTools }: { readonly asFunctionCall: boolean; readonly calledTools: boolean },
): string {
  const given = stopReason ?? (calledTools ? 'tool_use' : null);
  const reason = withoutPhantomCall(finishReasons[String(given)] ?? 'stop', calledTools);
  return reason === 'tool_calls' && asFunctionCall ? 'function_call' : reason;
}

const stopReasons: Readonly<Record<string, string>> = {
  length: 'max_tokens',
  content_filter: 'refusal',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
};

/**
 * `stop_reason` of a message for a chat choice's `finish_reason`. Several providers send `stop` after tool calls too.
 */
export function stopReasonOf(
  finishReason: unknown,
  { calledTools, refused }: { readonly calledTools: boolean; readonly refused: boolean },
): string {
  const reason = withoutPhantomCall(stopReasons[String(finishReason)] ?? 'end_turn', calledTools);
  if (reason === 'end_turn' && refused) return 'refusal';
  return reason === 'end_turn' && calledTools ? 'tool_use' : reason;
}
