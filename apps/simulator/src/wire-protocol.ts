import { type IncomingHttpHeaders } from 'node:http';
import { type Answer } from './answer/answer';
import { type BodyFields } from './body/body-fields';
import { type Prompt } from './prompt/prompt';
import { type Refusal } from './refusal';

/** How one provider's API reads a prompt and writes an answer. */
export interface WireProtocol {
  /** @throws Refusal 400 for what the real API would refuse. */
  readPrompt(body: BodyFields, headers: IncomingHttpHeaders): Prompt;
  /** The answer in one body. */
  completeBody(answer: Answer, prompt: Prompt): object;
  /** The answer as server-sent events, each with its empty line, including the terminator. */
  frames(answer: Answer, prompt: Prompt): Iterable<string>;
  errorBody(refusal: Refusal, requestId: string): object;
  /** The error as an event within a stream. */
  errorFrame(refusal: Refusal, requestId: string): string;
}
