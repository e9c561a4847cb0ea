import { composeAnswer } from '../answer/compose-answer';
import { openaiErrorBody } from '../openai-error';
import { type Refusal } from '../refusal';
import { type WireProtocol } from '../wire-protocol';
import { readResponseCall } from './read-response-call';
import { frame, responseFrames } from './response-frames';
import { writeFailedResponse, writeResponse } from './write-response';

/** OpenAI's responses. */
export const responses: WireProtocol = {
  readCall: (body) => {
    const call = readResponseCall(body);
    return {
      ...call.prompt,
      answer: ({ directive, userText, answerId, nowMs }) => {
        const answer = composeAnswer({ ...call.prompt, userText }, directive, answerId, nowMs);
        return {
          body: () => writeResponse(answer, call),
          frames: () => responseFrames(answer, call),
          failedBody: (failure) => writeFailedResponse(answer, call, failure),
          failedFrame: (failure, sentFrames) =>
            sentFrames === 0
              ? errorFrame(failure)
              : frame(
                  'response.failed',
                  { response: writeFailedResponse(answer, call, failure) },
                  sentFrames,
                ),
        };
      },
    };
  },
  errorBody: openaiErrorBody,
};

/** There is no response yet that could fail. */
function errorFrame({ message, param, code }: Refusal): string {
  return frame('error', { code, message, param }, 0);
}
