import { type Answer } from '../answer/answer';
import { composeAnswer } from '../answer/compose-answer';
import { type Prompt } from '../prompt/prompt';
import { type Refusal } from '../refusal';
import { type ReadCall, type WireProtocol } from '../wire-protocol';
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
  readCall: (body, headers) => {
    requireBetas(body, headers);
    return messagesCall(readMessagesPrompt(body), writeMessage);
  },
  errorBody,
};

/** Counts a messages request, by the same rule as the usage of an answer. */
export const countTokens: WireProtocol = {
  readCall: (body, headers) => {
    requireBetas(body, headers);
    const prompt: Prompt = { ...readCountedPrompt(body), stream: false };
    return messagesCall(prompt, () => ({ input_tokens: prompt.inputTokenCount }));
  },
  errorBody,
};

function messagesCall(asked: Prompt, writeBody: (answer: Answer) => object): ReadCall {
  return {
    ...asked,
    answer: ({ directive, userText, answerId, requestId, nowMs }) => {
      const answer = composeAnswer({ ...asked, userText }, directive, answerId, nowMs);
      return {
        body: () => writeBody(answer),
        frames: () => messageFrames(answer),
        failedBody: (failure) => errorBody(failure, requestId),
        failedFrame: (failure) => event('error', errorBody(failure, requestId)),
      };
    },
  };
}

function errorBody({ status, message }: Refusal, requestId: string): object {
  const type = ERROR_TYPES[status] ?? (status >= 500 || status < 400 ? 'api_error' : 'invalid_request_error');
  return { type: 'error', error: { type, message }, request_id: requestId };
}
