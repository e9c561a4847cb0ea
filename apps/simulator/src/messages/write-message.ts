import { type Answer, type ToolCall, type Usage } from '../answer/answer';
import { isFields } from '../body/body-fields';

export const SIGNATURE = 'svc-simulator-signature';

/** A `message` object. */
export function writeMessage(answer: Answer): object {
  return {
    ...messageHead(answer),
    content: [
      ...(answer.thinking === ''
        ? []
        : [{ type: 'thinking', thinking: answer.thinking, signature: SIGNATURE }]),
      ...(answer.text === '' ? [] : [{ type: 'text', text: answer.text }]),
      ...answer.toolCalls.map((call) => ({ ...toolUseHead(call), input: inputOf(call) })),
    ],
    stop_reason: stopReason(answer),
    stop_sequence: stopSequence(answer),
    ...(answer.usage === undefined ? {} : { usage: messageUsage(answer.usage) }),
  };
}

/** The members that a message has from its first event on. */
export function messageHead({ id, model }: Answer): object {
  return {
    id: `msg_sim_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    container: null,
    diagnostics: null,
    stop_details: null,
  };
}

export function toolUseHead({ id, name }: ToolCall): object {
  return { type: 'tool_use', id: `toolu_sim_${id}`, name, caller: { type: 'direct' } };
}

/** Empty when the token limit cut the arguments: they are no JSON then. */
function inputOf({ argumentsJson }: ToolCall): object {
  try {
    const input: unknown = JSON.parse(argumentsJson);
    return isFields(input) ? input : {};
  } catch {
    return {};
  }
}

export function stopReason({ ending, finishReason }: Answer): string {
  if (finishReason !== undefined) return finishReason;
  const reasons = {
    complete: 'end_turn',
    token_limit: 'max_tokens',
    tool_calls: 'tool_use',
    stop_sequence: 'stop_sequence',
  };
  return reasons[ending.kind];
}

export function stopSequence({ ending }: Answer): string | null {
  return ending.kind === 'stop_sequence' ? ending.sequence : null;
}

/** Messages count cached tokens apart from `input_tokens`. */
export function messageUsage(usage: Usage): object {
  return {
    input_tokens: usage.inputTokenCount - usage.cachedTokenCount - usage.cacheWriteTokenCount,
    cache_creation_input_tokens: usage.cacheWriteTokenCount,
    cache_read_input_tokens: usage.cachedTokenCount,
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWriteTokenCount, ephemeral_1h_input_tokens: 0 },
    output_tokens: usage.outputTokenCount,
    output_tokens_details: { thinking_tokens: usage.thinkingTokenCount },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: null,
    speed: null,
  };
}
