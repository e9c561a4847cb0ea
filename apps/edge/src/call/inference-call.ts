import { type RequestOrigin } from '@svc/http';
import { type Operation } from '@svc/protocol';
import { type CallTrace } from './call-trace';
import { type ClientReply } from './client-reply';
import { type BeforeLargeBody } from './request-body';

export type CallHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** An inference call as it arrives. */
export interface InferenceCall {
  readonly requestId: string;
  readonly operation: Operation;
  readonly headers: CallHeaders;
  /** Tells the client's address. */
  readonly origin: RequestOrigin;
  readonly reply: ClientReply;
  /** Null when the caller sent none. */
  readonly trace: CallTrace | null;
  /** The fields of the one log line of the call; each is set once it is known. */
  readonly facts: CallFacts;
  /** When it arrived, by `performance.now()`, which is monotonic. */
  readonly receivedAtMs: number;
  /** Reads the body of a known caller. See RequestBody.read. */
  readBody(organizationId: string, beforeLarge?: BeforeLargeBody): Promise<Uint8Array>;
}

/** Milliseconds since the call arrived. */
export const elapsedMs = ({ receivedAtMs }: InferenceCall): number => performance.now() - receivedAtMs;

/** Identifiers, counts and outcomes: never a prompt, an output or a credential. The log omits unknown fields. */
export interface CallFacts {
  readonly request_id: string;
  readonly route: Operation;
  readonly trace_id: string | undefined;
  readonly span_id: string | undefined;
  readonly parent_span_id: string | undefined;
  organization_id: string | undefined;
  api_key_id: string | undefined;
  project_id: string | null | undefined;
  model: string | undefined;
  stream: boolean | undefined;
  provider: string | null | undefined;
  attempts: number | undefined;
  /** The provider's own request id of each attempt, null where it gave none. */
  upstream_request_ids: readonly (string | null)[] | undefined;
  outcome: string | undefined;
  error_code: string | undefined;
  input_tokens: number | undefined;
  output_tokens: number | undefined;
  customer_nanos: number | undefined;
  ttft_ms: number | null | undefined;
  /** The providers' part of the wait: until an answer began, or the last attempt failed. */
  upstream_ms: number | undefined;
  /** The request id of the call whose answer was replayed. */
  replay_of: string | undefined;
  duration_ms: number | undefined;
}

/** Sets all fields at once: an object that grows later is slow to fill and to log. */
export const newCallFacts = (
  requestId: string,
  operation: Operation,
  trace: CallTrace | null,
): CallFacts => ({
  request_id: requestId,
  route: operation,
  trace_id: trace?.traceId,
  span_id: trace?.spanId,
  parent_span_id: trace?.parentSpanId,
  organization_id: undefined,
  api_key_id: undefined,
  project_id: undefined,
  model: undefined,
  stream: undefined,
  provider: undefined,
  attempts: undefined,
  upstream_request_ids: undefined,
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
