import { type CallWarning, type ModelEndpoint } from '@svc/inference';
import { type GatewayError } from '@svc/kernel';
import { type PlainAnswer, type StreamRelay } from '@svc/protocol';
import { type Redaction } from '../credentials/redaction';

/** One try at one model endpoint, as callers and the request record see it. */
export type ProviderAttempt = Readonly<{
  provider: string;
  region: string;
  /** The upstream's HTTP status; null when it gave none. */
  status: number | null;
  duration_ms: number;
  /** The catalogue's code of what went wrong; absent when it answered. */
  error?: string;
}>;

interface Answered {
  readonly attempts: readonly ProviderAttempt[];
  readonly servedBy: ModelEndpoint;
  /** What the endpoint was not sent of the call. */
  readonly warnings: readonly CallWarning[];
}

export interface PlainExchange extends Answered {
  readonly kind: 'plain';
  readonly answer: PlainAnswer;
}

/** A stream whose first frame has arrived: from here on there is no fallback. */
export interface StreamExchange extends Answered {
  readonly kind: 'stream';
  readonly relay: StreamRelay;
  /** What the relay has let pass so far. */
  readonly passed: readonly Uint8Array[];
  /** The chunks still to come; throws as UpstreamAnswer.body does. */
  readonly rest: AsyncIterator<Uint8Array>;
  /** For what the provider may still say inside the stream. */
  readonly redact: Redaction;
}

/** No endpoint of the plan answered, or the caller left before one did. */
export interface FailedExchange {
  readonly kind: 'failed';
  readonly attempts: readonly ProviderAttempt[];
  /** What the caller is told; null when it is the caller that left. */
  readonly error: GatewayError | null;
  /** The endpoint that was at work when the caller left: it may charge us for that. */
  readonly servedBy: ModelEndpoint | null;
}

export type Exchange = PlainExchange | StreamExchange | FailedExchange;
