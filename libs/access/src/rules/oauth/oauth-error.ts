/** The error codes of a redirect back to an app (RFC 6749 section 4.1.2.1). */
export type AuthorizationErrorCode =
  'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'access_denied';
