import { type Directive } from '../directive/directive';
import { type Prompt } from '../prompt/prompt';
import { BYTES_PER_TOKEN, tokensOfBytes } from '../prompt/count-tokens';
import { type Answer, type Ending, type ToolCall, type Usage } from './answer';
import { cutToBytes } from './cut-to-bytes';
import { replyText } from './reply-text';
import { decideToolCalls } from './tool-calls';

interface Draft {
  readonly thinking: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly ending: Ending;
}

/** The answer to a prompt: a pure function of the prompt, the directive, an id and the time. */
export function composeAnswer(prompt: Prompt, directive: Directive, id: string, createdAtMs: number): Answer {
  const toolCalls = decideToolCalls(prompt, directive, id);
  const whole: Draft = {
    thinking: prompt.thinks
      ? 'The Svc simulator does not think; this block only has the shape of thinking.'
      : '',
    text: replyText(prompt, directive, toolCalls.length > 0),
    toolCalls,
    ending: { kind: toolCalls.length > 0 ? 'tool_calls' : 'complete' },
  };
  const draft = limitTokens(stopAtSequence(whole, prompt.stopSequences), prompt.outputTokenLimit);
  return {
    ...draft,
    id,
    model: prompt.model,
    createdAtSeconds: Math.floor(createdAtMs / 1000),
    finishReason: directive.finish_reason,
    usage: directive.no_usage === true ? undefined : usageOf(prompt, directive, draft),
  };
}

/** Ends the answer before the first stop sequence in its text. */
function stopAtSequence(draft: Draft, sequences: readonly string[]): Draft {
  let end = draft.text.length;
  let met: string | undefined;
  for (const sequence of sequences) {
    const at = draft.text.indexOf(sequence);
    if (at === -1 || at >= end) continue;
    end = at;
    met = sequence;
  }
  if (met === undefined) return draft;
  return {
    ...draft,
    text: draft.text.slice(0, end),
    toolCalls: [],
    ending: { kind: 'stop_sequence', sequence: met },
  };
}

/** Thinking, text and tool arguments share the limit, in this order. */
function limitTokens(draft: Draft, tokenLimit: number): Draft {
  let bytesLeft = tokenLimit * BYTES_PER_TOKEN;
  let wasCut = false;
  const take = (text: string): string => {
    const taken = cutToBytes(text, bytesLeft);
    wasCut ||= taken.length < text.length;
    bytesLeft -= Buffer.byteLength(taken);
    return taken;
  };
  const thinking = take(draft.thinking);
  const text = take(draft.text);
  const toolCalls: ToolCall[] = [];
  for (const call of draft.toolCalls) {
    if (wasCut) break;
    toolCalls.push({ ...call, argumentsJson: take(call.argumentsJson) });
  }
  return wasCut ? { thinking, text, toolCalls, ending: { kind: 'token_limit' } } : draft;
}

function usageOf(prompt: Prompt, directive: Directive, draft: Draft): Usage {
  const cached = directive.cached_tokens ?? 0;
  const cacheWrite = directive.cache_write_tokens ?? 0;
  const outputs = [draft.thinking, draft.text, ...draft.toolCalls.map((call) => call.argumentsJson)];
  const bytes = outputs.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return {
    inputTokenCount: Math.max(directive.usage?.input_tokens ?? prompt.inputTokenCount, cached + cacheWrite),
    cachedTokenCount: cached,
    cacheWriteTokenCount: cacheWrite,
    outputTokenCount: directive.usage?.output_tokens ?? tokensOfBytes(bytes) * prompt.choiceCount,
    thinkingTokenCount: tokensOfBytes(Buffer.byteLength(draft.thinking)),
  };
}
