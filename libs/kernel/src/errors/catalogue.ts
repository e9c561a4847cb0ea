/** One row of the error catalogue: the constant parts of an error. */
export interface ErrorDefinition {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  /** True where the same call may succeed later without being changed. */
  readonly retriable: boolean;
  /** When it is raised; the text of `docs/reference/errors.md`. */
  readonly condition: string;
}

/**
 * Every error that a caller can get (docs/reference/errors.md). The envelope, the HTTP status, `x-should-retry` and the table of that
 * page all come from this one.
 */
export const errorCatalogue = {
  invalidRequest: row(
    400,
    'invalid_request',
    'invalid_request',
    'malformed body or parameter; `param` names the field',
  ),
  providerRejected: row(
    400,
    'invalid_request',
    'provider_http_400',
    'a provider refused the call (4xx); the message is the provider’s',
  ),
  unsupportedParameter: row(
    400,
    'invalid_request',
    'unsupported_parameter',
    'body field the route does not list; never forwarded',
  ),
  approvalRequired: row(
    400,
    'invalid_request',
    'approval_required',
    'management mutation gated by an approval policy; it now waits',
  ),
  urlNotAllowed: row(
    400,
    'invalid_request',
    'url_not_allowed',
    'webhook URL is not `https`, or its host is not public',
  ),
  unknownEventType: row(
    400,
    'invalid_request',
    'unknown_event_type',
    'an `event_types` entry is neither a catalog name nor a valid wildcard',
  ),
  invalidTrainingFile: row(
    400,
    'invalid_request',
    'invalid_training_file',
    'an uploaded file is no training file; `details` name lines and fields, `param` is `file`',
  ),
  invalidApiKey: row(
    401,
    'authentication',
    'invalid_api_key',
    'key missing, malformed, unknown or revoked; same answer for every case',
  ),
  invalidLogin: row(401, 'authentication', 'invalid_login', 'e-mail address or password wrong'),
  notLoggedIn: row(401, 'authentication', 'not_logged_in', 'no live console session'),
  invalidToken: row(401, 'authentication', 'invalid_token', 'expired or forged OAuth access token'),
  tokenRevoked: row(401, 'authentication', 'token_revoked', 'revoked OAuth token'),
  invalidClient: row(401, 'authentication', 'invalid_client', 'token endpoint: failed client authentication'),
  invalidGrant: row(
    400,
    'invalid_request',
    'invalid_grant',
    'token endpoint: the code or refresh token is unknown, expired, used, revoked or not for this client',
  ),
  unsupportedGrantType: row(
    400,
    'invalid_request',
    'unsupported_grant_type',
    'token endpoint: `grant_type` is neither `authorization_code` nor `refresh_token`',
  ),
  invalidScope: row(
    400,
    'invalid_request',
    'invalid_scope',
    'token endpoint: `scope` goes beyond what was granted',
  ),
  insufficientFunds: row(
    402,
    'insufficient_funds',
    'insufficient_funds',
    'no wallet or the hold was refused; nothing is charged',
  ),
  budgetExceeded: row(
    402,
    'insufficient_funds',
    'budget_exceeded',
    'a blocking budget in scope would be exceeded; nothing sent or charged',
  ),
  permissionDenied: row(403, 'permission', 'permission_denied', 'the key or role lacks the permission'),
  insufficientScope: row(403, 'permission', 'insufficient_scope', 'OAuth token outside its scopes'),
  notFound: row(
    404,
    'not_found',
    'not_found',
    'model not available to the organization, or unknown resource',
  ),
  methodNotAllowed: row(
    405,
    'invalid_request',
    'method_not_allowed',
    'the path takes other methods, which the header `Allow` lists',
  ),
  conflict: row(409, 'invalid_request', 'conflict', 'the state of things forbids the change'),
  targetChanged: row(
    409,
    'invalid_request',
    'target_changed',
    'what an approved change is about has changed since it was asked for; only in the `error` of an approval request',
  ),
  preconditionFailed: row(
    412,
    'invalid_request',
    'precondition_failed',
    'what `If-Match` names is no longer the current version',
  ),
  idempotencyKeyReused: row(
    409,
    'invalid_request',
    'idempotency_key_reused',
    'same `Idempotency-Key`, different body',
  ),
  idempotencyInProgress: retriable(
    409,
    'invalid_request',
    'idempotency_in_progress',
    'the original is still running',
  ),
  unsupportedContentEncoding: row(
    415,
    'invalid_request',
    'unsupported_content_encoding',
    'the body has a `Content-Encoding`; bodies are taken as they are, uncompressed',
  ),
  capabilityUnsupported: row(
    422,
    'capability_unsupported',
    'capability_unsupported',
    'strict mode: a parameter that no eligible endpoint supports; or a beta that changes the price, where the catalog has none',
  ),
  noEligibleRoute: row(
    422,
    'capability_unsupported',
    'no_eligible_route',
    'hard constraints eliminate every endpoint; no provider contacted',
  ),
  operationUnsupported: row(
    422,
    'capability_unsupported',
    'operation_unsupported',
    'the model is not served on this route; the message names the one that serves it',
  ),
  rateLimit: retriable(
    429,
    'rate_limit',
    'rate_limit',
    'key or organization bucket empty; nothing charged, no request recorded',
  ),
  providerRateLimit: retriable(
    429,
    'rate_limit',
    'provider_rate_limit',
    'every planned attempt was rate-limited by its provider',
  ),
  internal: row(500, 'internal', 'internal', 'unexpected failure'),
  unhandled: retriable(
    500,
    'internal',
    'internal',
    'unexpected failure that nothing in the service expected',
  ),
  providerError: retriable(
    502,
    'provider_error',
    'provider_error',
    'provider error on every planned attempt',
  ),
  overloaded: retriable(
    503,
    'overloaded',
    'overloaded',
    'provider 502, 503, 504 or time-out, or every circuit open; or the gateway has no room, or its database cannot be reached',
  ),
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorName = keyof typeof errorCatalogue;

function row(status: number, type: string, code: string, condition: string): ErrorDefinition {
  return { status, type, code, retriable: false, condition };
}

function retriable(status: number, type: string, code: string, condition: string): ErrorDefinition {
  return { status, type, code, retriable: true, condition };
}
