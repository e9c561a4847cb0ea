import { GatewayError } from '@svc/kernel';
import { type RestKind } from '../credentials/credential-health';

/** How an upstream call failed. A disconnect of the client is not an upstream failure. */
export type UpstreamFailure =
  | {
      readonly kind: 'status';
      readonly status: number;
      /** The message of the provider's error body. */
      readonly providerMessage: string | null;
      /** See {@link retryAfterMsOf}. */
      readonly retryAfterMs: number | null;
      /** Names of the error in its body, `error.type` and `error.code`. Absent where it was not read. */
      readonly errorNames?: readonly string[];
    }
  | { readonly kind: 'connection'; readonly cause?: unknown }
  | { readonly kind: 'first_byte_timeout' }
  | { readonly kind: 'idle_timeout' }
  /** A 200 that is not an answer of the protocol, or a stream that was cut or failed. */
  | {
      readonly kind: 'not_the_protocol';
      /** The provider's message. Absent where it has none. */
      readonly providerMessage?: string;
    }
  /** More vectors than one answer may have: as many as the caller asked for. */
  | { readonly kind: 'too_many_vectors' };

export interface FailureVerdict {
  /** True where the next planned attempt may be tried, if no byte has reached the client. */
  readonly next: boolean;
  /** The answer if this was the last attempt. */
  readonly error: GatewayError;
  readonly countsForCircuit: boolean;
  /** True where the provider refused the credential, or what it was used for (event `credential.auth_failed`). */
  readonly credentialRefused: boolean;
  /** True where another credential may succeed at the same endpoint. */
  readonly boundToCredential: boolean;
  /** How it rests the credential (docs/credential-pools.md#health). Null where it says nothing of it. */
  readonly rests: RestKind | null;
}

const RETRY_AFTER_MS_MAX = 60_000;
const RETRIABLE_STATUSES = new Set([408, 409, 425, 429]);
const OVERLOADED = new Set([502, 503, 504]);

/** Classifies a failure for the call and for the endpoint (docs/reference/errors.md#failures-of-a-provider). */
export function classifyFailure(failure: UpstreamFailure): FailureVerdict {
  if (failure.kind === 'status') return classifyStatus(failure);
  if (failure.kind === 'too_many_vectors') return { ...RETRY_NEXT, next: false, error: tooManyVectors() };
  return { ...RETRY_NEXT, error: errorWithoutStatus(failure), countsForCircuit: true };
}

/** The answer when every attempt failed: the last error that is not a 429, or else the 429 with the shortest wait. */
export function errorOfExhaustedPlan(errors: readonly [GatewayError, ...GatewayError[]]): GatewayError {
  const others = errors.filter(({ reason }) => reason !== 'providerRateLimit');
  const last = others.at(-1);
  if (last !== undefined) return last;
  return errors.reduce((a, b) => ((b.retryAfterMs ?? Infinity) < (a.retryAfterMs ?? Infinity) ? b : a));
}

/** A `Retry-After` header, seconds or HTTP date, as milliseconds from now, at most 60 s. Null when it is not valid. */
export function retryAfterMsOf(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(0, Math.ceil(waitMs)), RETRY_AFTER_MS_MAX);
}

const RETRY_NEXT = {
  next: true,
  countsForCircuit: false,
  credentialRefused: false,
  boundToCredential: false,
  rests: null,
} as const;

const OF_CREDENTIAL = { ...RETRY_NEXT, boundToCredential: true } as const;

type StatusFailure = Extract<UpstreamFailure, { kind: 'status' }>;

/** A 429 of an account that has used up what it paid for: waiting does not help it. */
const SPENT = new Set(['insufficient_quota', 'billing_error']);

function classifyStatus(failure: StatusFailure): FailureVerdict {
  const { status } = failure;
  if (isRefusedEverywhere(failure)) {
    return { ...OF_CREDENTIAL, error: providerError(), credentialRefused: true, rests: 'refused' };
  }
  if (status === 403) {
    return { ...OF_CREDENTIAL, error: providerError(), credentialRefused: true, rests: 'forbidden' };
  }
  if (status === 429) {
    return { ...OF_CREDENTIAL, error: providerRateLimit(failure.retryAfterMs), rests: 'rate_limit' };
  }
  if (RETRIABLE_STATUSES.has(status)) return { ...RETRY_NEXT, error: providerError() };
  if (status >= 400 && status < 500) return { ...RETRY_NEXT, next: false, error: providerRejected(failure) };
  const error = OVERLOADED.has(status)
    ? overloaded('The provider is overloaded. Please retry.')
    : providerError();
  return { ...RETRY_NEXT, error, countsForCircuit: true };
}

const isRefusedEverywhere = ({ status, errorNames = [] }: StatusFailure): boolean =>
  status === 401 || status === 402 || (status === 429 && errorNames.some((name) => SPENT.has(name)));

type SilentFailure = Exclude<UpstreamFailure, { kind: 'status' | 'too_many_vectors' }>;

function errorWithoutStatus(failure: SilentFailure): GatewayError {
  switch (failure.kind) {
    case 'first_byte_timeout':
      return overloaded('The provider did not answer in time. Please retry.');
    case 'idle_timeout':
      return overloaded('The provider stopped answering. Please retry.');
    case 'connection':
      return new GatewayError('providerError', 'The provider could not be reached. Please retry.', {
        cause: failure.cause,
      });
    case 'not_the_protocol':
      return new GatewayError(
        'providerError',
        failure.providerMessage ?? 'The provider gave an unusable answer. Please retry.',
      );
  }
}

function providerRejected({ status, providerMessage }: StatusFailure): GatewayError {
  return new GatewayError(
    'providerRejected',
    providerMessage ?? `The provider refused the call with status ${String(status)}.`,
    { code: `provider_http_${status}` },
  );
}

function providerRateLimit(retryAfterMs: number | null): GatewayError {
  return new GatewayError(
    'providerRateLimit',
    'The provider is limiting its rate. Please retry later.',
    retryAfterMs === null ? {} : { retryAfterMs: Math.min(retryAfterMs, RETRY_AFTER_MS_MAX) },
  );
}

const tooManyVectors = (): GatewayError =>
  new GatewayError(
    'invalidRequest',
    'The answer has more than 64 MiB. Send fewer inputs, or set `encoding_format` to "base64".',
    { param: 'input' },
  );

const overloaded = (message: string): GatewayError => new GatewayError('overloaded', message);

const providerError = (): GatewayError =>
  new GatewayError('providerError', 'The provider failed to answer. Please retry.');
