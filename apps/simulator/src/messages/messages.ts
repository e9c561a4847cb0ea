import { type Refusal } from '../refusal';
import { type WireProtocol } from '../wire-protocol';
import { event, messageFrames } from './message-frames';
import { readCountedPrompt, readMessagesPrompt } from './read-messages-prompt';
import { requireBetas } from './require-betas';
import { writeMessage } from './write-message';

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** Anthropic's messages. */
export const messages: WireProtocol = {
  readPrompt: (body, headers) => {
    requireBetas(body, headers);
    return readMessagesPrompt(body);
  },
  completeBody: writeMessage,
  frames: messageFrames,
  errorBody,
  errorFrame: (refusal, requestId) => event('error', errorBody(refusal, requestId)),
};

/** Counts a messages request, by the same rule as the usage of an answer. */
export const countTokens: WireProtocol = {
  ...messages,
  readPrompt: (body, headers) => {
    requireBetas(body, headers);
    return { ...readCountedPrompt(body), stream: false };
  },
  completeBody: (_answer, prompt) => ({ input_tokens: prompt.inputTokenCount }),
};

function errorBody({ status, message }: Refusal, requestId: string): object {
  const type = ERROR_TYPES[status] ?? (status >= 500 || status < 400 ? 'api_error' : 'invalid_request_error');
  return { type: 'error', error: { type, message }, request_id: requestId };
}
