import { type Refusal } from '../refusal';
import { type WireProtocol } from '../wire-protocol';
import { completionFrames } from './completion-frames';
import { readChatPrompt } from './read-chat-prompt';
import { writeCompletion } from './write-completion';

/** OpenAI's chat completions. */
export const chatCompletions: WireProtocol = {
  readPrompt: readChatPrompt,
  completeBody: writeCompletion,
  frames: completionFrames,
  errorBody,
  errorFrame: (refusal) => `data: ${JSON.stringify(errorBody(refusal))}\n\n`,
};

function errorBody({ status, message, param, code }: Refusal): object {
  const [type, usualCode] = errorKind(status);
  return { error: { message, type, param, code: code ?? usualCode } };
}

function errorKind(status: number): [type: string, code: string | null] {
  if (status === 401) return ['invalid_request_error', 'invalid_api_key'];
  if (status === 402) return ['insufficient_quota', 'insufficient_quota'];
  if (status === 429) return ['requests', 'rate_limit_exceeded'];
  return [status >= 500 || status < 400 ? 'server_error' : 'invalid_request_error', null];
}
