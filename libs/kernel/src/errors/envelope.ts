import { type GatewayError } from './gateway-error';

/** The body of every error answer (interface.md, Errors: Envelope). */
export interface ErrorEnvelope {
  readonly error: {
    readonly type: string;
    readonly message: string;
    readonly code: string;
    readonly param?: string;
    readonly request_id: string;
    readonly retriable: boolean;
  };
}

export function errorEnvelope(error: GatewayError, requestId: string): ErrorEnvelope {
  const { type, retriable } = error.definition;
  return {
    error: {
      type,
      message: error.message,
      code: error.code,
      ...(error.param === undefined ? {} : { param: error.param }),
      request_id: requestId,
      retriable,
    },
  };
}

const RETRY_AFTER_SECONDS_MAX = 60;

/** How to come back with a better credential (RFC 6750 section 3); other schemes' challenges are their routes' own. */
function challengeOf({ reason }: GatewayError): Record<string, string> {
  if (reason === 'invalidApiKey') return { 'www-authenticate': 'Bearer' };
  if (reason === 'invalidToken' || reason === 'tokenRevoked')
    return { 'www-authenticate': 'Bearer error="invalid_token"' };
  if (reason === 'insufficientScope') return { 'www-authenticate': 'Bearer error="insufficient_scope"' };
  return {};
}

/**
 * Headers that go with an error: `x-should-retry` on all, because SDKs would retry 409 and 5xx otherwise;
 * `Retry-After` on a 429 only; `retry-after-ms`, which SDKs read first, also on a retriable 409 or 503
 * (contract.md section 10).
 */
export function errorHeaders(error: GatewayError): Record<string, string> {
  const { status, retriable } = error.definition;
  const headers: Record<string, string> = { 'x-should-retry': String(retriable), ...challengeOf(error) };
  if (!retriable || ![409, 429, 503].includes(status)) return headers;
  const waitMs = Math.min(Math.ceil(error.retryAfterMs ?? 1000), RETRY_AFTER_SECONDS_MAX * 1000);
  headers['retry-after-ms'] = String(waitMs);
  if (status === 429) headers['retry-after'] = String(Math.max(1, Math.ceil(waitMs / 1000)));
  return headers;
}
