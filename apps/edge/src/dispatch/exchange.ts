import { type ModelEndpoint } from '@svc/catalog';
import { type GatewayError } from '@svc/kernel';
import { type CallWarning, type CredentialSource } from '@svc/policy';
import { type PlainAnswer, type StreamRelay } from '@svc/protocol';
import { type Redaction } from '../credentials/redaction';

/** One try at one model endpoint, as the caller is shown it. */
export type ShownAttempt = Readonly<{
  provider: string;
  region: string;
  /** The upstream's HTTP status; null when it gave none. */
  status: number | null;
  duration_ms: number;
  /** An error code of the catalogue; absent when the endpoint answered. */
  error?: string;
}>;

/** The reason that an attempt comes before others that the policy's order puts first. */
type Placement = 'affinity' | 'rollout';

/** One try, as the request record keeps it. */
export type ProviderAttempt = ShownAttempt &
  Readonly<{
    upstream_request_id: string | null;
    /** Milliseconds from the arrival of the call. */
    started_ms: number;
    /** Milliseconds from the start of the attempt to the head of the upstream's answer; null when none came. */
    first_byte_ms: number | null;
    endpoint_id: string;
    credential: CredentialSource;
    /** Of the organization's own credential; absent for the platform's, and for none. */
    credential_id?: string;
    /** Absent for nothing, as for most. */
    placed_by?: Placement;
  }>;

export function shownAttempt(attempt: ProviderAttempt): ShownAttempt {
  const { provider, region, status, duration_ms, error } = attempt;
  const shown = { provider, region, status, duration_ms };
  return error === undefined ? shown : { ...shown, error };
}

/** In the order of the attempts, null where the provider gave none; undefined where none did. */
export function upstreamRequestIds(
  attempts: readonly ProviderAttempt[],
): readonly (string | null)[] | undefined {
  const isNamed = attempts.some((attempt) => attempt.upstream_request_id !== null);
  return isNamed ? attempts.map((attempt) => attempt.upstream_request_id) : undefined;
}

interface Answered {
  readonly attempts: readonly ProviderAttempt[];
  readonly servedBy: ModelEndpoint;
  /** Parts of the call that the endpoint was not sent. */
  readonly warnings: readonly CallWarning[];
}

export interface PlainExchange extends Answered {
  readonly kind: 'plain';
  readonly answer: PlainAnswer;
}

/** A stream whose first frame has arrived: there is no fallback any more. */
export interface StreamExchange extends Answered {
  readonly kind: 'stream';
  readonly relay: StreamRelay;
  /** The pieces that the relay has passed so far. */
  readonly passed: readonly Uint8Array[];
  /** The chunks still to come; throws as UpstreamAnswer.body does. */
  readonly rest: AsyncIterator<Uint8Array>;
  /** For error messages of the provider inside the stream. */
  readonly redact: Redaction;
}

/** No endpoint of the plan answered, or the caller disconnected before one did. */
export interface FailedExchange {
  readonly kind: 'failed';
  readonly attempts: readonly ProviderAttempt[];
  /** The error for the caller; null when the caller disconnected. */
  readonly error: GatewayError | null;
  /** The endpoint that was working when the caller disconnected: it may charge us. */
  readonly servedBy: ModelEndpoint | null;
}

export type Exchange = PlainExchange | StreamExchange | FailedExchange;
