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
  /** Milliseconds since it arrived, by a clock that never goes back. */
  elapsedMs(): number;
  /** Reads the body: only for a caller that is known. */
  readBody(): Promise<Uint8Array>;
}

/** Identifiers, counts and outcomes: never a prompt, an output or a credential. */
export interface CallFacts {
  organization_id?: string;
  api_key_id?: string;
  project_id?: string | null;
  model?: string;
  stream?: boolean;
  provider?: string | null;
  attempts?: number;
  outcome?: string;
  error_code?: string;
  input_tokens?: number;
  output_tokens?: number;
  customer_nanos?: number;
  ttft_ms?: number | null;
  /** Until an answer began, or the last attempt failed: the part of the wait that was the providers'. */
  upstream_ms?: number;
  /** The request id of the call whose answer was given again. */
  replay_of?: string;
}
