/** Maps Anthropic's stop reasons to chat's finish reasons. */

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

/** `finish_reason` of a chat choice for a message's `stop_reason`. */
export function finishReasonOf(stopReason: unknown, { asFunctionCall }: { asFunctionCall: boolean }): string {
  const reason = finishReasons[String(stopReason)] ?? 'stop';
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
  const reason = stopReasons[String(finishReason)] ?? 'end_turn';
  if (reason === 'end_turn' && refused) return 'refusal';
  return reason === 'end_turn' && calledTools ? 'tool_use' : reason;
}
