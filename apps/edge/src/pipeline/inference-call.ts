import { type Operation } from '@svc/protocol';
import { type ClientReply } from '../http/client-reply';
import { type CallHeaders } from './resolve-project';

/** An inference call as it arrives. */
export interface InferenceCall {
  readonly requestId: string;
  readonly operation: Operation;
  readonly headers: CallHeaders;
  readonly reply: ClientReply;
  /** What the one log line of the call tells; filled in as it becomes known. */
  readonly facts: CallFacts;
  /** When it arrived, of `performance.now()`: a clock that never goes back. */
  readonly receivedAtMs: number;
  /** Reads the body: only for a caller that is known. */
  readBody(): Promise<Uint8Array>;
}

/** Milliseconds since the call arrived. */
export const elapsedMs = ({ receivedAtMs }: InferenceCall): number => performance.now() - receivedAtMs;

/** Identifiers, counts and outcomes: never a prompt, an output or a credential. What is not known is left out of the log. */
export interface CallFacts {
  readonly request_id: string;
  readonly route: Operation;
  organization_id: string | undefined;
  api_key_id: string | undefined;
  project_id: string | null | undefined;
  model: string | undefined;
  stream: boolean | undefined;
  provider: string | null | undefined;
  attempts: number | undefined;
  outcome: string | undefined;
  error_code: string | undefined;
  input_tokens: number | undefined;
  output_tokens: number | undefined;
  customer_nanos: number | undefined;
  ttft_ms: number | null | undefined;
  /** Until an answer began, or the last attempt failed: the part of the wait that was the providers'. */
  upstream_ms: number | undefined;
  /** The request id of the call whose answer was given again. */
  replay_of: string | undefined;
  duration_ms: number | undefined;
}

/** With all fields from the start: an object that grows with its call is slow to fill and to log. */
export const newCallFacts = (requestId: string, operation: Operation): CallFacts => ({
  request_id: requestId,
  route: operation,
  organization_id: undefined,
  api_key_id: undefined,
  project_id: undefined,
  model: undefined,
  stream: undefined,
  provider: undefined,
  attempts: undefined,
  outcome: undefined,
  error_code: undefined,
  input_tokens: undefined,
  output_tokens: undefined,
  customer_nanos: undefined,
  ttft_ms: undefined,
  upstream_ms: undefined,
  replay_of: undefined,
  duration_ms: undefined,
});
