import { type IncomingHttpHeaders } from 'node:http';
import { type BodyFields } from './body/body-fields';
import { type Directive } from './directive/directive';
import { type Refusal } from './refusal';

/** How one API of a provider reads a call and writes its answer. */
export interface WireProtocol {
  /** @throws Refusal for what the real API would refuse. */
  readCall(body: BodyFields, headers: IncomingHttpHeaders): ReadCall;
  errorBody(refusal: Refusal, requestId: string): object;
}

/** A call that was read and has no answer yet. */
export interface ReadCall {
  readonly model: string;
  readonly stream: boolean;
  /** The text of the user in which a directive may stand. */
  readonly userText: string;
  answer(circumstances: Circumstances): WireAnswer;
}

export interface Circumstances {
  readonly directive: Directive;
  /** The user's text without the directive. */
  readonly userText: string;
  /** Unique; each protocol adds its own prefix. */
  readonly answerId: string;
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** An answer that was composed, in the shapes of its API. */
interface WireAnswer {
  /** The whole answer as one body. */
  body(): object;
  /** The answer as server-sent events, each with its empty line, including the terminator. */
  frames(): Iterable<string>;
  /** The body of an answer that fails although its status is 200. */
  failedBody(failure: Refusal): object;
  /** The failure as an event within a stream, after `sentFrames` of the frames. */
  failedFrame(failure: Refusal, sentFrames: number): string;
}
