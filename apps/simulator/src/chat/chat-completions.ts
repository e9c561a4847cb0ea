import { composeAnswer } from '../answer/compose-answer';
import { openaiErrorBody } from '../openai-error';
import { type WireProtocol } from '../wire-protocol';
import { completionFrames } from './completion-frames';
import { readChatPrompt } from './read-chat-prompt';
import { writeCompletion } from './write-completion';

/** OpenAI's chat completions. */
export const chatCompletions: WireProtocol = {
  readCall: (body) => {
    const asked = readChatPrompt(body);
    return {
      ...asked,
      answer: ({ directive, userText, answerId, nowMs }) => {
        const prompt = { ...asked, userText };
        const answer = composeAnswer(prompt, directive, answerId, nowMs);
        return {
          body: () => writeCompletion(answer, prompt),
          frames: () => completionFrames(answer, prompt),
          failedBody: openaiErrorBody,
          failedFrame: (failure) => `data: ${JSON.stringify(openaiErrorBody(failure))}\n\n`,
        };
      },
    };
  },
  errorBody: openaiErrorBody,
};
