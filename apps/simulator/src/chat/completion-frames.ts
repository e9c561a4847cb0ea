import { type Answer } from '../answer/answer';
import { argumentPieces, wordPieces } from '../answer/pieces';
import { type Prompt } from '../prompt/prompt';
import { chatCallId, completionId, completionUsage, FINGERPRINT, finishReason } from './write-completion';

/** `chat.completion.chunk` events; several choices are interleaved, as at real providers. */
export function* completionFrames(answer: Answer, prompt: Prompt): Generator<string> {
  const frame = chunkWriter(answer, prompt.usageInStream);
  const choices = Array.from({ length: prompt.choiceCount }, (_, index) => index);
  for (const delta of deltas(answer)) {
    for (const index of choices) yield frame([{ index, delta, logprobs: null, finish_reason: null }], null);
  }
  for (const index of choices) {
    yield frame([{ index, delta: {}, logprobs: null, finish_reason: finishReason(answer) }], null);
  }
  if (prompt.usageInStream && answer.usage !== undefined) yield frame([], completionUsage(answer.usage));
  yield 'data: [DONE]\n\n';
}

function* deltas(answer: Answer): Generator<object> {
  const startsWithText = answer.text !== '' || answer.toolCalls.length === 0;
  yield { role: 'assistant', content: startsWithText ? '' : null, refusal: null };
  for (const content of wordPieces(answer.text)) yield { content };
  for (const [index, call] of answer.toolCalls.entries()) {
    const opening = { name: call.name, arguments: '' };
    yield { tool_calls: [{ index, id: chatCallId(call.id), type: 'function', function: opening }] };
    for (const piece of argumentPieces(call.argumentsJson)) {
      yield { tool_calls: [{ index, function: { arguments: piece } }] };
    }
  }
}

/** Serialises the common part of all chunks once. */
function chunkWriter(
  answer: Answer,
  withUsage: boolean,
): (choices: object[], usage: object | null) => string {
  const head = JSON.stringify({
    id: completionId(answer),
    object: 'chat.completion.chunk',
    created: answer.createdAtSeconds,
    model: answer.model,
    ...FINGERPRINT,
  }).slice(0, -1);
  return (choices, usage) => {
    const usageMember = withUsage ? `,"usage":${JSON.stringify(usage)}` : '';
    return `data: ${head},"choices":${JSON.stringify(choices)}${usageMember}}\n\n`;
  };
}
