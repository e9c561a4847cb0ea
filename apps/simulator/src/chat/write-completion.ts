import { type Answer, type Usage } from '../answer/answer';
import { type Prompt } from '../prompt/prompt';

export const FINGERPRINT = { service_tier: 'default', system_fingerprint: 'svc-simulator' };

/** A `chat.completion` object. */
export function writeCompletion(answer: Answer, prompt: Prompt): object {
  const message = {
    role: 'assistant',
    content: answer.text === '' && answer.toolCalls.length > 0 ? null : answer.text,
    refusal: null,
    annotations: [],
    ...(answer.toolCalls.length === 0
      ? {}
      : {
          tool_calls: answer.toolCalls.map(({ id, name, argumentsJson }) => ({
            id: chatCallId(id),
            type: 'function',
            function: { name, arguments: argumentsJson },
          })),
        }),
  };
  return {
    id: completionId(answer),
    object: 'chat.completion',
    created: answer.createdAtSeconds,
    model: answer.model,
    choices: Array.from({ length: prompt.choiceCount }, (_, index) => ({
      index,
      message,
      logprobs: null,
      finish_reason: finishReason(answer),
    })),
    ...(answer.usage === undefined ? {} : { usage: completionUsage(answer.usage) }),
    ...FINGERPRINT,
  };
}

export function completionId({ id }: Answer): string {
  return `chatcmpl-sim-${id}`;
}

export function chatCallId(id: string): string {
  return `call_sim_${id}`;
}

export function finishReason({ ending, finishReason: given }: Answer): string {
  if (given !== undefined) return given;
  if (ending.kind === 'token_limit') return 'length';
  return ending.kind === 'tool_calls' ? 'tool_calls' : 'stop';
}

/** Chat completions count cached tokens in `prompt_tokens`. */
export function completionUsage(usage: Usage): object {
  return {
    prompt_tokens: usage.inputTokenCount,
    completion_tokens: usage.outputTokenCount,
    total_tokens: usage.inputTokenCount + usage.outputTokenCount,
    prompt_tokens_details: {
      cached_tokens: usage.cachedTokenCount,
      cache_write_tokens: usage.cacheWriteTokenCount,
      audio_tokens: 0,
    },
    completion_tokens_details: {
      reasoning_tokens: usage.thinkingTokenCount,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
