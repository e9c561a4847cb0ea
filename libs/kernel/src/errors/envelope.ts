import { type GatewayError, type LineFault } from './gateway-error';

/** The body of every error answer (docs/reference/errors.md#the-envelope). */
export interface ErrorEnvelope {
  readonly error: {
    readonly type: string;
    readonly message: string;
    readonly code: string;
    readonly param?: string;
    readonly approval_request_id?: string;
    /** Of a refused file, by line. */
    readonly details?: readonly LineFault[];
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
      ...(error.approvalRequestId === undefined ? {} : { approval_request_id: error.approvalRequestId }),
      ...(error.faults === undefined ? {} : { details: error.faults }),
      request_id: requestId,
      retriable,
    },
  };
}

/** Where a change that waits for approval can be followed. */
const placeOf = ({ approvalRequestId }: GatewayError): Record<string, string> =>
  approvalRequestId === undefined ? {} : { location: `/api/v1/approval-requests/${approvalRequestId}` };

const RETRY_AFTER_SECONDS_MAX = 60;

/** The challenge to a refused bearer credential (RFC 6750 section 3). Routes with other schemes set their own. */
function challengeOf({ reason }: GatewayError): Record<string, string> {
  if (reason === 'invalidApiKey') return { 'www-authenticate': 'Bearer' };
  if (reason === 'invalidToken' || reason === 'tokenRevoked')
    return { 'www-authenticate': 'Bearer error="invalid_token"' };
  if (reason === 'insufficientScope') return { 'www-authenticate': 'Bearer error="insufficient_scope"' };
  return {};
}

/**
 * Headers of an error answer: `x-should-retry` always, because SDKs otherwise retry 409 and 5xx; `Retry-After` on a 429
 * only; `retry-after-ms`, which SDKs read first, also on a retriable 409 or 503
 * (docs/reference/errors.md#headers-of-an-error).
 */
export function errorHeaders(error: GatewayError): Record<string, string> {
  const { status, retriable } = error.definition;
  const headers: Record<string, string> = {
    'x-should-retry': String(retriable),
    ...challengeOf(error),
    ...placeOf(error),
  };
  if (!retriable || ![409, 429, 503].includes(status)) return headers;
  const waitMs = Math.min(Math.ceil(error.retryAfterMs ?? 1000), RETRY_AFTER_SECONDS_MAX * 1000);
  headers['retry-after-ms'] = String(waitMs);
  if (status === 429) headers['retry-after'] = String(Math.max(1, Math.ceil(waitMs / 1000)));
  return headers;
}
