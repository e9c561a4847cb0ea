import { GatewayError } from '@svc/kernel';

/** How an upstream call failed. A client's own disconnect is none of these. */
export type UpstreamFailure =
  | {
      readonly kind: 'status';
      readonly status: number;
      /** The message of the provider's error body. */
      readonly providerMessage: string | null;
      /** See {@link retryAfterMsOf}. */
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: 'connection'; readonly cause?: unknown }
  | { readonly kind: 'first_byte_timeout' }
  | { readonly kind: 'idle_timeout' }
  /** A 200 that is no answer of the protocol, or a stream that broke off or went wrong. */
  | { readonly kind: 'not_the_protocol' };

export interface FailureVerdict {
  /** Whether the next planned attempt may be tried, as long as no byte reached the client. */
  readonly next: boolean;
  /** The answer if this was the last attempt. */
  readonly error: GatewayError;
  readonly countsForCircuit: boolean;
  /** The provider refused the credential it was called with: event `credential.auth_failed`. */
  readonly credentialRefused: boolean;
  /** Whether the same endpoint may answer to another credential. */
  readonly boundToCredential: boolean;
}

const RETRY_AFTER_MS_MAX = 60_000;
const TRY_NEXT = new Set([408, 409, 425, 429]);
const OVERLOADED = new Set([502, 503, 504]);

/** What a failure means for the call and for the endpoint (contract.md sections 5 and 11; interface.md, Errors). */
export function classifyFailure(failure: UpstreamFailure): FailureVerdict {
  if (failure.kind === 'status') return classifyStatus(failure);
  return { ...TRIED, error: errorWithoutStatus(failure), countsForCircuit: true };
}

/**
 * The answer when every attempt failed: the last error, but a 429 only if each attempt met one, with the
 * shortest wait.
 */
export function errorOfExhaustedPlan(errors: readonly [GatewayError, ...GatewayError[]]): GatewayError {
  const others = errors.filter(({ reason }) => reason !== 'providerRateLimit');
  const last = others.at(-1);
  if (last !== undefined) return last;
  return errors.reduce((a, b) => ((b.retryAfterMs ?? Infinity) < (a.retryAfterMs ?? Infinity) ? b : a));
}

/** A `Retry-After` header, seconds or HTTP date, as milliseconds from now, at most 60 s; null when unusable. */
export function retryAfterMsOf(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(0, Math.ceil(waitMs)), RETRY_AFTER_MS_MAX);
}

const TRIED = {
  next: true,
  countsForCircuit: false,
  credentialRefused: false,
  boundToCredential: false,
} as const;

type StatusFailure = Extract<UpstreamFailure, { kind: 'status' }>;

function classifyStatus(failure: StatusFailure): FailureVerdict {
  const { status } = failure;
  if (status === 401 || status === 403) {
    return { ...TRIED, error: providerError(), credentialRefused: true, boundToCredential: true };
  }
  if (status === 429) {
    return { ...TRIED, error: providerRateLimit(failure.retryAfterMs), boundToCredential: true };
  }
  if (TRY_NEXT.has(status)) return { ...TRIED, error: providerError() };
  if (status >= 400 && status < 500) return { ...TRIED, next: false, error: providerRejected(failure) };
  const error = OVERLOADED.has(status)
    ? overloaded('The provider is overloaded. Please retry.')
    : providerError();
  return { ...TRIED, error, countsForCircuit: true };
}

function errorWithoutStatus(failure: Exclude<UpstreamFailure, StatusFailure>): GatewayError {
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
      return new GatewayError('providerError', 'The provider gave an unusable answer. Please retry.');
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

const overloaded = (message: string): GatewayError => new GatewayError('overloaded', message);

const providerError = (): GatewayError =>
  new GatewayError('providerError', 'The provider failed to answer. Please retry.');
